import { isOwnSpan, messagesIn, toolDefinitions } from "@thoughtflow/dialects/spans";
import type { ContentAttributes, ContentList, SpanRecord, StoredText } from "@thoughtflow/schema";
import { isContentList } from "@thoughtflow/schema/content-list";
import { isText, textOf } from "@thoughtflow/schema/stored-text";
import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_THOUGHTFLOW_MESSAGES,
  ATTR_THOUGHTFLOW_OUTPUT_SCHEMA,
  ATTR_THOUGHTFLOW_PROMPT,
  type GenAiMessage,
  type GenAiPart,
  type PromptMakeup,
} from "@thoughtflow/semconv";
import { createHistories, type History, historyOf } from "./history.ts";
import { messagesFrom, partsFrom } from "./message-from.ts";
import { makeupFrom } from "./prompt-provenance.ts";
import { attributeOf } from "./span-node.ts";
import { createTextMemo } from "./text-memo.ts";

/** Content attributes as values. What they are made of is read when it is asked for, and remembered for a while. */
export interface ContentReader {
  /** The value of one content attribute; `undefined` when absent or no JSON (cut off by a limit on its way). */
  value(record: SpanRecord, name: string): unknown;
  /** The same, but the text as it is where it is no JSON. */
  valueOrText(record: SpanRecord, name: string): unknown;
  /** Whether the span has the attribute, whatever it says. */
  has(record: SpanRecord, name: string): boolean;
  /** Whether values of these attributes have to be read from where they are stored. */
  isStored(record: SpanRecord, names: readonly string[]): boolean;
  modelCall(record: SpanRecord): ModelCall;
}

/** What a model was given and what it gave, in neutral form. */
export interface ModelCall {
  readonly system: readonly GenAiPart[];
  readonly tools: readonly unknown[];
  /** Absent where the program did not compose it. */
  readonly prompt: PromptMakeup | undefined;
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

const MOST_LISTS = 16;

/** What other emitters write as it is where the conventions want JSON. */
const PLAIN: ReadonlySet<string> = new Set([
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
]);

/** What many calls have alike. Other texts are told apart by what they are long before they are read twice. */
const SHARED: ReadonlySet<string> = new Set([
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_THOUGHTFLOW_OUTPUT_SCHEMA,
  ATTR_THOUGHTFLOW_PROMPT,
]);

export function createContentReader(): ContentReader {
  const parsed = createTextMemo(jsonOf);
  const messageOf = createTextMemo((text) => messagesFrom(jsonOf(text))[0]);
  const askedIn = createTextMemo((text) => messagesOf(jsonOf(text), "user"));
  const answeredIn = createTextMemo((text) => messagesOf(jsonOf(text), "assistant"));
  const structureIn = createTextMemo(structureOf);
  const histories = createHistories(messageOf);
  const calls = new WeakMap<SpanRecord, ModelCall>();
  /** Calls mostly share their tools and instructions. */
  let latestLists = new Map<object, readonly unknown[]>();

  function rawOf(record: SpanRecord, name: string): ContentAttributes[string] | undefined {
    if (record.content !== undefined && Object.hasOwn(record.content, name))
      return record.content[name];
    const value = attributeOf(record, name);
    return typeof value === "string" ? value : undefined;
  }

  function value(record: SpanRecord, name: string): unknown {
    const raw = rawOf(record, name);
    if (raw === undefined) return undefined;
    if (!isText(raw)) return parsedList(raw);
    const json = SHARED.has(name) ? parsed(raw) : jsonOf(textOf(raw));
    return json === undefined && PLAIN.has(name) && !isOwnSpan(record) ? textOf(raw) : json;
  }

  function parsedList(texts: readonly string[] | ContentList): readonly unknown[] {
    const known = latestLists.get(texts);
    if (known !== undefined) return known;
    if (latestLists.size >= MOST_LISTS) latestLists = new Map();
    const list = piecesOf(texts).map(parsed);
    latestLists.set(texts, list);
    return list;
  }

  function historyAt(record: SpanRecord, name: string): History | undefined {
    const raw = rawOf(record, name);
    if (raw === undefined) return undefined;
    return isText(raw) ? historyOf(askedIn(raw)) : histories.of(raw);
  }

  function answersAt(record: SpanRecord, name: string): readonly GenAiMessage[] | undefined {
    const raw = rawOf(record, name);
    if (raw === undefined) return undefined;
    if (isText(raw)) return answeredIn(raw);
    return piecesOf(raw)
      .map(messageOf)
      .filter((message) => message !== undefined);
  }

  const readers: CallReaders = {
    system: (record) => partsFrom(value(record, ATTR_GEN_AI_SYSTEM_INSTRUCTIONS)),
    tools(record) {
      const tools = listOf(value(record, ATTR_GEN_AI_TOOL_DEFINITIONS));
      return isOwnSpan(record) ? tools : toolDefinitions(tools);
    },
    prompt: (record) => makeupFrom(value(record, ATTR_THOUGHTFLOW_PROMPT)),
    output: (record) => answersAt(record, ATTR_GEN_AI_OUTPUT_MESSAGES),
    structure(record) {
      const text = attributeOf(record, ATTR_THOUGHTFLOW_MESSAGES);
      return typeof text === "string" ? structureIn(text) : undefined;
    },
  };

  return {
    value,
    valueOrText(record, name) {
      const raw = rawOf(record, name);
      const found = value(record, name);
      return found === undefined && isText(raw) ? textOf(raw) : found;
    },
    has: (record, name) => rawOf(record, name) !== undefined,
    isStored(record, names) {
      const { content } = record;
      if (content === undefined) return false;
      return names.some(
        (name) => Object.hasOwn(content, name) && typeof content[name] !== "string",
      );
    },
    modelCall(record) {
      const known = calls.get(record);
      if (known !== undefined) return known;
      const call = new ReadCall(record, historyAt(record, ATTR_GEN_AI_INPUT_MESSAGES), readers);
      calls.set(record, call);
      return call;
    },
  };
}

/** What reads the members of a call. */
type CallReaders = {
  readonly [K in Exclude<keyof ModelCall, "input">]: (record: SpanRecord) => ModelCall[K];
};

/** A class, since an object with getters of its own takes five times the memory. */
class ReadCall implements ModelCall {
  readonly input: History | undefined;
  readonly #record: SpanRecord;
  readonly #readers: CallReaders;

  constructor(record: SpanRecord, input: History | undefined, readers: CallReaders) {
    this.input = input;
    this.#record = record;
    this.#readers = readers;
  }

  get system(): ModelCall["system"] {
    return this.#readers.system(this.#record);
  }

  get tools(): ModelCall["tools"] {
    return this.#readers.tools(this.#record);
  }

  get prompt(): ModelCall["prompt"] {
    return this.#readers.prompt(this.#record);
  }

  get output(): ModelCall["output"] {
    return this.#readers.output(this.#record);
  }

  get structure(): ModelCall["structure"] {
    return this.#readers.structure(this.#record);
  }
}

/** The texts from the first to the last, unread where they are stored. */
function piecesOf(list: readonly string[] | ContentList): readonly (string | StoredText)[] {
  if (!isContentList(list)) return list;
  const pieces: (string | StoredText)[] = [];
  for (let at: ContentList | undefined = list; at !== undefined; at = at.before)
    pieces.push(at.last);
  return pieces.reverse();
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

/** Messages in any form; a list's elements are read one by one, what is no list is a whole request or answer. */
function messagesOf(value: unknown, role: string): readonly GenAiMessage[] {
  return Array.isArray(value) ? value.flatMap(messagesFrom) : messagesIn(value, role);
}

function structureOf(text: string): ReadStructure | undefined {
  const structure: unknown = jsonOf(text);
  if (typeof structure !== "object" || structure === null) return undefined;
  const { continues, known, input, output } = structure as Record<string, unknown>;
  return {
    ...(typeof continues === "string" && { continues }),
    ...(typeof known === "number" && { known }),
    input: messagesOf(input, "user"),
    output: messagesOf(output, "assistant"),
  };
}
