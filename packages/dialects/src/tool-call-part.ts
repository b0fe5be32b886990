import { fromExactJson } from "@thoughtflow/schema/exact-json";
import type { GenAiPart } from "@thoughtflow/semconv";
import { textOf } from "./unknown-values.ts";

/** A tool call's arguments: parsed when they are JSON, else the text as it came; absent when empty. */
export function toolArgumentsOf(value: unknown): unknown {
  if (typeof value !== "string") return value ?? undefined;
  if (value === "") return undefined;
  // While they stream they are looked at again and again: an object without its end is not parsed in vain.
  if (value.startsWith("{") && !value.trimEnd().endsWith("}")) return value;
  try {
    return fromExactJson(value);
  } catch {
    return value;
  }
}

/** Of longer arguments not each closing brace is looked at: they may be a file, full of them. */
const MOST_LOOKED_AT = 262_144;

/** Whether a brace that closes in arguments which still stream is a reason to look whether they are whole. */
export function mayTellWhole(soFar: string): boolean {
  return soFar.length <= MOST_LOOKED_AT;
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
