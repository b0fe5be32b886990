import { SPAWNING_TOOLS } from "../claude-code/spawning-tools.ts";
import type { ImportReport } from "../import-format.ts";
import { createRequestLog, type RequestLog } from "../requests/request-log.ts";

/** What its system prompt begins with, and that of programs which are built on it. */
const CLAUDE_CODE = /^You are (?:Claude Code|a Claude agent)/;

/** What claude-trace logged of one process. */
export function createProxyLog(report: ImportReport, sessionId: string | undefined): RequestLog {
  return createRequestLog({
    source: "proxy-log",
    service: "claude-trace",
    idPrefix: "proxy",
    report,
    sessionId,
    asksAlone: false,
    spawning: SPAWNING_TOOLS,
    nameOf: ({ system }) => (CLAUDE_CODE.test(system) ? "Claude Code" : "agent"),
  });
}
