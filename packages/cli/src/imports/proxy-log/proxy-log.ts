import type { ImportFormat } from "../import-format.ts";
import { jsonLines } from "../json-lines.ts";
import { createLossCounter } from "../loss-table.ts";
import { filesOfFormat } from "../recognise.ts";
import { PROXY_LOG_LOSSES } from "./losses.ts";
import { isProxyLog } from "./recognise.ts";
import { exchangeOf } from "./records.ts";
import { createProxyLog } from "./session.ts";

/** Logs of requests to the Messages API, as claude-trace writes them: one session a file. */
export const proxyLog: ImportFormat = {
  summary: "requests and answers of the Anthropic Messages API, as claude-trace logs them",
  what: "a log of requests by claude-trace",
  losses: PROXY_LOG_LOSSES,
  takes: (name) => name.endsWith(".jsonl"),
  recognise: isProxyLog,
  async *read(files, report) {
    const countLosses = createLossCounter(PROXY_LOG_LOSSES, report);
    for (const file of await filesOfFormat(files, proxyLog, report)) {
      const log = createProxyLog(report);
      for await (const line of jsonLines(file)) {
        if ("problem" in line) {
          log.unreadable(line);
          continue;
        }
        const exchange = exchangeOf(line.record, line.number);
        if (exchange === undefined) report.lost("line that is no exchange with the Messages API");
        else {
          countLosses(line.record);
          yield* log.exchange(exchange, line);
        }
      }
      yield* log.finish();
    }
  },
};
