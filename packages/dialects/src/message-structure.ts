import type {
  GenAiMessage,
  GenAiPart,
  StructuredMessage,
  StructuredPart,
} from "@thoughtflow/semconv";
import { toolRequestIn, toolResponseIn } from "@thoughtflow/semconv";
import { present, textOf } from "./unknown-values.ts";

/** A message without its text: role, part types, call ids, tool names and lengths. */
export function structureOf(message: GenAiMessage): StructuredMessage {
  return { role: message.role, parts: message.parts.map(partStructure) };
}

function partStructure(part: GenAiPart): StructuredPart {
  const { id, name } = part as { readonly id?: unknown; readonly name?: unknown };
  return {
    type: part.type,
    ...present({ id: textOf(id), name: textOf(name), length: lengthOf(said(part)) }),
  };
}

function said(part: GenAiPart): unknown {
  const { content } = part as { readonly content?: unknown };
  return toolRequestIn(part)?.arguments ?? toolResponseIn(part)?.response ?? content;
}

function lengthOf(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string") return value.length;
  try {
    return JSON.stringify(value)?.length;
  } catch {
    // What JSON cannot hold has no length that anybody could compare.
    return undefined;
  }
}
