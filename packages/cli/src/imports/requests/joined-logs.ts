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

/** By the first words of a conversation and all answers in it; by the last one's id where a request names that. */
export function createJoinedLogs<Log>(): JoinedLogs<Log> {
  const logs = new LruMap<string, Log>(REMEMBERED);
  return {
    before({ previousResponseId, messages }) {
      const named = previousResponseId === undefined ? undefined : logs.get(previousResponseId);
      const [print] = printsOf(messages, [[]]);
      return named ?? (print === undefined ? undefined : logs.get(print));
    },
    answered({ responseId, messages, output }, log) {
      if (responseId !== undefined) logs.set(responseId, log);
      // Several are items of one answer, or answers of which one is gone on from.
      const answers = output.length > 1 ? [output, ...output.map((one) => [one])] : [output];
      for (const print of printsOf(messages, answers)) logs.set(print, log);
    },
  };
}

/** Of the conversation with each of the answers; none where nothing was answered that comes back. */
function printsOf(
  messages: readonly GenAiMessage[],
  answers: readonly (readonly GenAiMessage[])[],
): readonly string[] {
  const first = messages.find(({ role }) => role === "user");
  if (first === undefined) return [];
  const before = keysOf(messages.filter(({ role }) => role === "assistant"));
  // A conversation may be long, and its answers many.
  const begun = createHash("sha256");
  begun.update(JSON.stringify(wordsOf(withoutReminders(first).parts)));
  for (const key of before) begun.update(key);
  return answers.flatMap((answer) => {
    const keys = keysOf(answer);
    if (before.length + keys.length === 0) return [];
    const print = begun.copy();
    for (const key of keys) print.update(key);
    return print.digest("base64url");
  });
}

function keysOf(messages: readonly GenAiMessage[]): readonly string[] {
  return messages.flatMap(atomsOf).map(({ key }) => JSON.stringify(key));
}
