import { hash } from "node:crypto";
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
      const print = printOf(messages, []);
      return named ?? (print === undefined ? undefined : logs.get(print));
    },
    answered({ responseId, messages, output }, log) {
      if (responseId !== undefined) logs.set(responseId, log);
      // Several are items of one answer, or answers of which one is gone on from.
      for (const answer of [output, ...output.map((one) => [one])]) {
        const print = printOf(messages, answer);
        if (print !== undefined) logs.set(print, log);
      }
    },
  };
}

/** Absent where nothing was answered that comes back. */
function printOf(
  messages: readonly GenAiMessage[],
  answer: readonly GenAiMessage[],
): string | undefined {
  const before = messages.filter(({ role }) => role === "assistant");
  const answers = [...before, ...answer].flatMap(atomsOf).map(({ key }) => key);
  const first = messages.find(({ role }) => role === "user");
  if (answers.length === 0 || first === undefined) return undefined;
  const words = wordsOf(withoutReminders(first).parts);
  return hash("sha256", JSON.stringify([words, answers]), "base64url");
}
