import { hash } from "node:crypto";
import { type GenAiMessage, isToolCallPart, type ToolCallPart } from "@thoughtflow/semconv";

/** What messages ask of tools, in order. */
export function toolCallsIn(messages: readonly GenAiMessage[]): readonly ToolCallPart[] {
  return messages.flatMap(({ parts }) => parts.filter(isToolCallPart));
}

/** What calls ask for, whatever their ids: arguments are long, and not kept. */
export function wordsOfCalls(calls: readonly ToolCallPart[]): string {
  const words = calls.map(({ name, arguments: args }) => [name, args ?? null]);
  return hash("sha256", JSON.stringify(words), "base64url");
}
