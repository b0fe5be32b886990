import { wordsOf } from "@thoughtflow/semconv";
import { SPAWNING_TOOLS } from "../claude-code/spawning-tools.ts";
import type { ImportReport } from "../import-format.ts";
import type { LoggedExchange } from "../requests/logged-exchange.ts";
import { createRequestLog, type RequestLog } from "../requests/request-log.ts";

/** What its system prompt begins with, and that of programs which are built on it. */
const CLAUDE_CODE = /^You are (?:Claude Code|a Claude agent)/;

/** What `/compact` asks, behind a warning to call no tools since 2.1. */
const SUMMARY = /^[ \t]*Your task is to create a detailed summary of /m;

/** A person typed `/compact`, or nothing: the history was full. */
function isCompaction({ messages }: LoggedExchange): boolean {
  const last = messages.at(-1);
  return last?.role === "user" && last.parts.some((part) => SUMMARY.test(wordsOf([part])));
}

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
    isOfProgram: isCompaction,
    nameOf: ({ system }) => (CLAUDE_CODE.test(system) ? "Claude Code" : "agent"),
  });
}
