import { createHash } from "node:crypto";
import { type GenAiMessage, wordsOf } from "@thoughtflow/semconv";
import { atomsOf, LruMap, withoutReminders } from "@thoughtflow/workflow";
import type { LoggedExchange } from "./logged-exchange.ts";

/** Finds what a log goes on from that was cut into several files and names no session. */
export interface JoinedLogs<Log> {
  /** The log in which the answer stands that a request goes on from. */
  before(exchange: LoggedExchange): Log | undefined;
  /** Remembers what was answered in a log. */
  answered(exchange: LoggedExchange, log: Log): void;
}

/** So many answers back a log is found. */
const REMEMBERED = 50_000;

/**
 * By all that was said up to an answer, else by the first words of a conversation and all answers in it, since what stands between
 * may come back changed; by the last answer's id where a request names that.
 */
export function createJoinedLogs<Log>(): JoinedLogs<Log> {
  const logs = new LruMap<string, Log>(2 * REMEMBERED);
  return {
    before({ previousResponseId, messages }) {
      const named = previousResponseId === undefined ? undefined : logs.get(previousResponseId);
      if (named !== undefined) return named;
      const answered = messages.slice(0, messages.findLastIndex(isAnswer) + 1);
      for (const print of printsOf(answered, [[]])) {
        const log = logs.get(print);
        if (log !== undefined) return log;
      }
      return undefined;
    },
    answered({ responseId, messages, output }, log) {
      if (responseId !== undefined) logs.set(responseId, log);
      // Several are items of one answer, or answers of which one is gone on from.
      const answers = output.length > 1 ? [output, ...output.map((one) => [one])] : [output];
      for (const print of printsOf(messages, answers)) logs.set(print, log);
    },
  };
}

/** Of the conversation with each of the answers, first by all that was said; none where nothing was answered that comes back. */
function printsOf(
  messages: readonly GenAiMessage[],
  answers: readonly (readonly GenAiMessage[])[],
): readonly string[] {
  const first = messages.find(({ role }) => role === "user");
  if (first === undefined) return [];
  const said = messages.map((message) => (isAnswer(message) ? message : withoutReminders(message)));
  const before = keysOf(messages.filter(isAnswer));
  const told = answers.map(keysOf).filter((keys) => before.length + keys.length > 0);
  const words = JSON.stringify(wordsOf(withoutReminders(first).parts));
  return [...hashesOf(["all", ...keysOf(said)], told), ...hashesOf([words, ...before], told)];
}

/** Of what each of several lists goes on from, with the list. A conversation may be long, and its answers many. */
function hashesOf(
  begun: readonly string[],
  lists: readonly (readonly string[])[],
): readonly string[] {
  const common = createHash("sha256");
  for (const text of begun) common.update(text);
  return lists.map((list) => {
    const print = common.copy();
    for (const text of list) print.update(text);
    return print.digest("base64url");
  });
}

function isAnswer({ role }: GenAiMessage): boolean {
  return role === "assistant";
}

function keysOf(messages: readonly GenAiMessage[]): readonly string[] {
  return messages.flatMap(atomsOf).map(({ key }) => JSON.stringify(key));
}
