import type { ImportReport } from "../import-format.ts";
import { createRequestLog, type RequestLog } from "../requests/request-log.ts";

/** What claude-trace logged of one process. */
export function createProxyLog(report: ImportReport): RequestLog {
  return createRequestLog({
    source: "proxy-log",
    service: "claude-trace",
    idPrefix: "proxy",
    report,
    asksAlone: false,
    nameOf: ({ system }) => /^You are (Claude Code)/.exec(system)?.[1] ?? "agent",
  });
}
