import type { ImportFormat } from "../import-format.ts";
import { jsonLines } from "../json-lines.ts";
import { createLossCounter } from "../loss-table.ts";
import { filesOfFormat } from "../recognise.ts";
import type { RequestLog } from "../requests/request-log.ts";
import { OPENAI_LOG_LOSSES } from "./losses.ts";
import { isOpenaiLog } from "./recognise.ts";
import { exchangeOf } from "./records.ts";
import { createOpenaiLog } from "./session.ts";

/** Logs of requests to OpenAI, one a line: one session a file, and one for each that a request names. */
export const openaiLog: ImportFormat = {
  summary: "requests and answers of OpenAI's APIs (chat, responses), one JSON object a line",
  what: "a log of requests to OpenAI",
  losses: OPENAI_LOG_LOSSES,
  takes: (name) => name.endsWith(".jsonl"),
  recognise: isOpenaiLog,
  async *read(files, report) {
    const countLosses = createLossCounter(OPENAI_LOG_LOSSES, report);
    for (const file of await filesOfFormat(files, openaiLog, report)) {
      const logs = new Map<string, RequestLog>();
      let latest: RequestLog | undefined;
      const early: Parameters<RequestLog["unreadable"]>[0][] = [];
      for await (const line of jsonLines(file)) {
        if ("problem" in line) {
          if (latest === undefined) early.push(line);
          else latest.unreadable(line);
          continue;
        }
        const exchange = exchangeOf(line.record, line.number);
        if (exchange === undefined) {
          report.lost("line that is no exchange with an API of OpenAI");
          continue;
        }
        countLosses(line.record);
        const log = logs.get(exchange.session ?? "") ?? createOpenaiLog(report);
        logs.set(exchange.session ?? "", log);
        latest = log;
        for (const odd of early.splice(0)) log.unreadable(odd);
        yield* log.exchange(exchange, line);
      }
      for (const log of logs.values()) yield* log.finish();
    }
  },
};
