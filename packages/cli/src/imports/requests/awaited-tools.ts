import { type GenAiMessage, isToolCallPart, isToolCallResponsePart } from "@thoughtflow/semconv";
import { isObject, membersOf } from "../plain-values.ts";
import type { LoggedExchange } from "./logged-exchange.ts";

/**
 * The ids of the tool calls that an answer leaves to its client: the results of what the provider runs stand in it, too. None where the
 * request named the tool that the model had to call: that call is all that was asked for.
 */
export function awaitedTools({ output, request }: LoggedExchange): ReadonlySet<string> {
  const { tool_choice: chosen, function_call: named } = membersOf(request[0]);
  if (isNamed(chosen) || isObject(named)) return new Set();
  const calls = output.flatMap(({ parts }) => parts.filter(isToolCallPart));
  return unanswered(new Set(calls.flatMap(({ id }) => id ?? [])), output);
}

/** Those that a request doesn't show the results of, either. */
export function stillAwaited(
  awaited: ReadonlySet<string>,
  { messages }: LoggedExchange,
): ReadonlySet<string> {
  return unanswered(awaited, messages);
}

function unanswered(
  awaited: ReadonlySet<string>,
  messages: readonly GenAiMessage[],
): ReadonlySet<string> {
  if (awaited.size === 0) return awaited;
  const left = new Set(awaited);
  for (const { id } of messages.flatMap(({ parts }) => parts.filter(isToolCallResponsePart)))
    if (id !== undefined) left.delete(id);
  return left;
}

/** By OpenAI's APIs, or by Anthropic's. */
function isNamed(choice: unknown): boolean {
  const { type } = membersOf(choice);
  return type === "function" || type === "custom" || type === "tool";
}
