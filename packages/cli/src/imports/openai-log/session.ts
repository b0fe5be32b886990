import type { ImportReport } from "../import-format.ts";
import { createRequestLog, type RequestLog } from "../requests/request-log.ts";
import { SPAWNING_TOOLS } from "./codex-thread.ts";

/** What somebody logged of a program that talks to OpenAI, or to a server that speaks like it. */
export function createOpenaiLog(report: ImportReport, sessionId: string | undefined): RequestLog {
  return createRequestLog({
    source: "openai-log",
    service: "openai-log",
    idPrefix: "openai",
    report,
    sessionId,
    asksAlone: true,
    spawning: SPAWNING_TOOLS,
    nameOf: () => "agent",
  });
}
