import type { ContentList, SpanRecord } from "@thoughtflow/schema";
import { textsOf } from "@thoughtflow/schema/content-list";
import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_THOUGHTFLOW_MESSAGES,
  type GenAiMessage,
  type GenAiPart,
} from "@thoughtflow/semconv";
import { createHistories, type History, historyOf } from "./history.ts";
import { messageFrom, partsFrom } from "./message-from.ts";
import { attributeOf } from "./span-node.ts";

/** Content attributes as values, each text parsed once however many records share it. */
export interface ContentReader {
  /** The value of one content attribute; `undefined` when absent or no JSON (cut off by a limit on its way). */
  value(record: SpanRecord, name: string): unknown;
  modelCall(record: SpanRecord): ModelCall;
}

/** What a model was given and what it gave, in neutral form. */
export interface ModelCall {
  readonly system: readonly GenAiPart[];
  readonly tools: readonly unknown[];
  /** Absent when content did not travel. */
  readonly input: History | undefined;
  readonly output: readonly GenAiMessage[] | undefined;
  readonly structure: ReadStructure | undefined;
}

/** `thoughtflow.messages` (see `MessageStructure` in semconv) with its messages read like those with text. */
export interface ReadStructure {
  readonly continues?: string;
  readonly known?: number;
  readonly input: readonly GenAiMessage[];
  readonly output: readonly GenAiMessage[];
}

export function createContentReader(): ContentReader {
  const pieces = new Map<string, unknown>();
  const messages = new Map<string, GenAiMessage | undefined>();
  const lists = new WeakMap<object, readonly unknown[]>();
  const histories = createHistories(pieceMessage);
  const calls = new WeakMap<SpanRecord, ModelCall>();

  function parsed(text: string): unknown {
    if (pieces.has(text)) return pieces.get(text);
    const value = jsonOf(text);
    pieces.set(text, value);
    return value;
  }

  function rawOf(
    record: SpanRecord,
    name: string,
  ): string | readonly string[] | ContentList | undefined {
    if (record.content !== undefined && Object.hasOwn(record.content, name))
      return record.content[name];
    const value = attributeOf(record, name);
    return typeof value === "string" ? value : undefined;
  }

  function value(record: SpanRecord, name: string): unknown {
    const raw = rawOf(record, name);
    if (raw === undefined) return undefined;
    return typeof raw === "string" ? parsed(raw) : parsedList(raw);
  }

  function parsedList(texts: readonly string[] | ContentList): readonly unknown[] {
    const known = lists.get(texts);
    if (known !== undefined) return known;
    const list = textsOf(texts).map(parsed);
    lists.set(texts, list);
    return list;
  }

  function pieceMessage(text: string): GenAiMessage | undefined {
    if (messages.has(text)) return messages.get(text);
    const message = messageFrom(jsonOf(text));
    messages.set(text, message);
    return message;
  }

  function historyAt(record: SpanRecord, name: string): History | undefined {
    const raw = rawOf(record, name);
    if (raw === undefined) return undefined;
    return typeof raw === "string" ? historyOf(messagesIn(jsonOf(raw))) : histories.of(raw);
  }

  function answersAt(record: SpanRecord, name: string): readonly GenAiMessage[] | undefined {
    const raw = rawOf(record, name);
    if (raw === undefined) return undefined;
    if (typeof raw === "string") return messagesIn(jsonOf(raw));
    return textsOf(raw)
      .map(pieceMessage)
      .filter((message) => message !== undefined);
  }

  return {
    value,
    modelCall(record) {
      const known = calls.get(record);
      if (known !== undefined) return known;
      const call: ModelCall = {
        system: partsFrom(value(record, ATTR_GEN_AI_SYSTEM_INSTRUCTIONS)),
        tools: listOf(value(record, ATTR_GEN_AI_TOOL_DEFINITIONS)),
        input: historyAt(record, ATTR_GEN_AI_INPUT_MESSAGES),
        output: answersAt(record, ATTR_GEN_AI_OUTPUT_MESSAGES),
        structure: structureOf(attributeOf(record, ATTR_THOUGHTFLOW_MESSAGES)),
      };
      calls.set(record, call);
      return call;
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function messagesIn(value: unknown): readonly GenAiMessage[] {
  return listOf(value)
    .map(messageFrom)
    .filter((message) => message !== undefined);
}

function structureOf(value: unknown): ReadStructure | undefined {
  if (typeof value !== "string") return undefined;
  const structure: unknown = jsonOf(value);
  if (typeof structure !== "object" || structure === null) return undefined;
  const { continues, known, input, output } = structure as Record<string, unknown>;
  return {
    ...(typeof continues === "string" && { continues }),
    ...(typeof known === "number" && { known }),
    input: messagesIn(input),
    output: messagesIn(output),
  };
}
