import { isTextPart } from "@thoughtflow/semconv";
import { isInstruction, withoutReminders } from "@thoughtflow/workflow";
import { SPAWNING_TOOLS } from "../claude-code/spawning-tools.ts";
import type { ImportReport } from "../import-format.ts";
import type { LoggedExchange } from "../requests/logged-exchange.ts";
import { createRequestLog, type RequestLog } from "../requests/request-log.ts";

/** What its system prompt begins with, and that of programs which are built on it. */
const CLAUDE_CODE = /^You are (?:Claude Code|a Claude agent)/;

/** What `/compact` asks, behind a warning to call no tools since 2.1; of itself, too, where the history is full. */
const SUMMARY = /^[ \t]*Your task is to create a detailed summary of /m;

/** What a skill or a tool that was found says beside the result, how an answer in a form is asked for, and a search of a model. */
const PROMPTS =
  /^(?:Base directory for this skill: |Tool loaded\.$|\[structured-output-enforce\]|Perform a web search for the query: )/;

/** The program said it in a person's place. */
function isOfProgram({ messages }: LoggedExchange): boolean {
  const last = messages.findLast((one) => !isInstruction(one));
  if (last?.role !== "user") return false;
  const texts = withoutReminders(last).parts.filter(isTextPart);
  if (texts.some(({ content }) => SUMMARY.test(content))) return true;
  return texts.length > 0 && texts.every(({ content }) => PROMPTS.test(content));
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
    isOfProgram,
    nameOf: ({ system }) => (CLAUDE_CODE.test(system) ? "Claude Code" : "agent"),
  });
}
