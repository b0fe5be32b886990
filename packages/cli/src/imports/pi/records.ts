import type { Attributes } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
  type GenAiPart,
  toText,
} from "@thoughtflow/semconv";
import {
  countOf,
  isMoment,
  isObject,
  listOf,
  membersOf,
  type PlainObject,
  textOf,
  timeOf,
} from "../plain-values.ts";
import { statedCost } from "../stated-cost.ts";

/** An entry of a session file. */
export interface PiEntry {
  readonly number: number;
  /** `session`, `message`, `compaction`, `branch_summary`, `model_change` … */
  readonly type: string;
  /** Absent in files of version 1. */
  readonly id: string | undefined;
  readonly parentId: string | undefined;
  readonly ms: number | undefined;
  /** Of an entry with a message. */
  readonly message: PlainObject;
  readonly record: PlainObject;
  /** The row of the loss table. */
  readonly name: string;
}

export function entryOf(record: PlainObject, number: number): PiEntry | undefined {
  const type = textOf(record["type"]);
  if (type === undefined) return undefined;
  const message = membersOf(record["message"]);
  const role = textOf(message["role"]);
  return {
    number,
    type,
    id: textOf(record["id"]),
    parentId: textOf(record["parentId"]),
    ms: millisecondsOf(message["timestamp"]) ?? timeOf(record["timestamp"]),
    message,
    record,
    name: type === "message" && role !== undefined ? `message ${role}` : type,
  };
}

function millisecondsOf(time: unknown): number | undefined {
  return isMoment(time) ? time : timeOf(time);
}

/** The content of a message as parts. */
export function partsOf(content: unknown): readonly GenAiPart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", content }];
  return listOf(content).filter(isObject).map(partOf);
}

function partOf(part: PlainObject): GenAiPart {
  switch (part["type"]) {
    case "text":
      return { type: "text", content: toText(part["text"]) };
    case "thinking":
      return { type: "reasoning", content: toText(part["thinking"]) };
    case "image":
      return {
        type: "blob",
        modality: "image",
        mime_type: toText(part["mimeType"]),
        content: toText(part["data"]),
      };
    case "toolCall":
      return {
        type: "tool_call",
        id: toText(part["id"]),
        name: toText(part["name"]),
        arguments: part["arguments"] ?? {},
      };
    default:
      return { ...part, type: toText(part["type"] ?? "unknown") };
  }
}

/** What a tool gave: its text where it is nothing but text. */
export function resultOf(content: unknown): unknown {
  const parts = partsOf(content);
  const texts = parts.map((part) => (part.type === "text" ? part["content" as never] : undefined));
  return texts.every((text) => typeof text === "string") ? texts.join("\n") : parts;
}

/** What was sent, what the cache gave and what it took are counted apart. */
export function usageOf(usage: unknown): Attributes {
  if (!isObject(usage)) return {};
  const read = countOf(usage["cacheRead"]);
  const written = countOf(usage["cacheWrite"]);
  const reasoning = usage["reasoning"] ?? usage["reasoningTokens"];
  return {
    [ATTR_GEN_AI_USAGE_INPUT_TOKENS]: countOf(usage["input"]) + read + written,
    [ATTR_GEN_AI_USAGE_OUTPUT_TOKENS]: countOf(usage["output"]),
    [ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS]: read,
    [ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS]: written,
    ...(reasoning !== undefined && {
      [ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS]: countOf(reasoning),
    }),
    ...statedCost(membersOf(usage["cost"])["total"]),
  };
}

/** What a person ran in the terminal, as the model is told of it. */
export function commandText({ command, output, exitCode, cancelled }: PlainObject): string {
  const end =
    cancelled === true ? "\n(cancelled)" : countOf(exitCode) > 0 ? `\n(exit code ${exitCode})` : "";
  return `$ ${toText(command)}\n${toText(output)}${end}`;
}
