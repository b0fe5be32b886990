import type { GenAiMessage } from "@thoughtflow/semconv";
import { atomsOf, withoutReminders } from "@thoughtflow/workflow";
import type { LoggedExchange } from "./logged-exchange.ts";

/** What was answered where nobody logged it. */
export interface ToldAnswer {
  /** The request whose history has it. */
  readonly by: LoggedExchange;
  readonly messages: readonly GenAiMessage[];
  /** Of its tool calls: which pieces of it they are, from 1. */
  readonly toolCalls: readonly number[];
}

/** The answer to a request as the first of the later ones tells that goes on from it; none where the request was sent again. */
export function answerIn(
  { messages: asked }: LoggedExchange,
  later: Iterable<LoggedExchange>,
): ToldAnswer | undefined {
  for (const by of later) {
    const { messages } = by;
    if (messages.length === asked.length && beginsWith(messages, asked)) return undefined;
    if (messages[asked.length]?.role !== "assistant" || !beginsWith(messages, asked)) continue;
    const next = messages.findIndex(({ role }, at) => at > asked.length && role !== "assistant");
    const answer = messages.slice(asked.length, next < 0 ? undefined : next);
    const toolCalls = answer
      .flatMap(atomsOf)
      .flatMap(({ kind }, at) => (kind === "tool_call" ? [at + 1] : []));
    return { by, messages: answer, toolCalls };
  }
  return undefined;
}

/** The last message first: that of another agent is mostly another one. */
export function beginsWith(
  messages: readonly GenAiMessage[],
  asked: readonly GenAiMessage[],
): boolean {
  return asked.every((_, n) => {
    const at = asked.length - 1 - n;
    return keyOf(messages[at]) === keyOf(asked[at]);
  });
}

function keyOf(message: GenAiMessage | undefined): string {
  const atoms = message === undefined ? [] : atomsOf(withoutReminders(message));
  return atoms.map(({ key }) => key).join("\n");
}
