import type { ImportFormat } from "../import-format.ts";
import { readRequestLogs } from "../requests/read-request-logs.ts";
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
  read: (files, report) =>
    readRequestLogs(
      { format: openaiLog, exchangeOf, createLog: createOpenaiLog, whom: "an API of OpenAI" },
      files,
      report,
    ),
};
