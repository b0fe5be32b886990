import { isToolCallPart } from "@thoughtflow/semconv";
import { askerOf, systemPromptOf } from "@thoughtflow/workflow";
import type { LoggedExchange } from "./logged-exchange.ts";
import { beginsWith } from "./untold-answers.ts";

/** A question, and how its answer is to begin: whoever sends more is told by that. */
const MOST_MESSAGES = 2;

/**
 * Whether a request is an agent's own, though its shape is that of what a program asks beside: its answer asks for tools, which it
 * had, then, or one of the later ones goes on from it.
 */
export function isOwnWork(exchange: LoggedExchange, later: Iterable<LoggedExchange>): boolean {
  const { messages: asked, tools, output } = exchange;
  if (tools.length > 0 || asked.length > MOST_MESSAGES) return false;
  if (output.some(({ parts }) => parts.some(isToolCallPart))) return true;
  for (const other of later) {
    const { messages } = other;
    // The answer may only have been begun for the model.
    if (messages.length <= asked.length + 1) continue;
    if (messages[asked.length]?.role !== "assistant" || !beginsWith(messages, asked)) continue;
    // An agent may be asked the same.
    if (whoAsks(other) === whoAsks(exchange)) return true;
  }
  return false;
}

function whoAsks(exchange: LoggedExchange): string {
  return askerOf(systemPromptOf(exchange), exchange.tools.length);
}
