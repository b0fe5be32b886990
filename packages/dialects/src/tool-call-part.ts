import type { GenAiPart } from "@thoughtflow/semconv";
import { textOf } from "./unknown-values.ts";

/** A tool call's arguments: parsed when they are JSON, else the text as it came; absent when empty. */
export function toolArgumentsOf(value: unknown): unknown {
  if (typeof value !== "string") return value ?? undefined;
  if (value === "") return undefined;
  // While they stream they are looked at again and again: an object without its end is not parsed in vain.
  if (value.startsWith("{") && !value.trimEnd().endsWith("}")) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** A tool call part; the same for every API that calls tools. */
export function toolCallPart(id: unknown, name: unknown, args: unknown): GenAiPart {
  const parsed = toolArgumentsOf(args);
  return {
    type: "tool_call",
    ...(textOf(id) === undefined ? {} : { id: textOf(id) }),
    name: textOf(name) ?? "",
    ...(parsed === undefined ? {} : { arguments: parsed }),
  };
}
