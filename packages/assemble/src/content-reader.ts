import { isOwnSpan, messagesIn, toolDefinitions } from "@thoughtflow/dialects/spans";
import type { ContentAttributes, ContentList, SpanRecord, StoredText } from "@thoughtflow/schema";
import { isContentList, textsOf } from "@thoughtflow/schema/content-list";
import { fromExactJson } from "@thoughtflow/schema/exact-json";
import { isText, textOf } from "@thoughtflow/schema/stored-text";
import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_THOUGHTFLOW_CONTINUES,
  ATTR_THOUGHTFLOW_MESSAGES,
  ATTR_THOUGHTFLOW_OUTPUT_SCHEMA,
  ATTR_THOUGHTFLOW_PROMPT,
  type GenAiPart,
  type PromptMakeup,
} from "@thoughtflow/semconv";
import { createHistories, type History, historyOf } from "./history.ts";
import { lateOutputIn } from "./late-output.ts";
import { messagesFrom, partsFrom } from "./message-from.ts";
import { makeupFrom } from "./prompt-provenance.ts";
import { ReadMessage } from "./read-message.ts";
import { createShortMemory, type Remembering } from "./short-memory.ts";
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
  readonly output: readonly ReadMessage[] | undefined;
  readonly structure: ReadStructure | undefined;
}

/** `thoughtflow.messages` (see `MessageStructure` in semconv) with its messages read like those with text. */
export interface ReadStructure {
  readonly continues?: string;
  readonly known?: number;
  readonly input: readonly ReadMessage[];
  readonly output: readonly ReadMessage[];
}

const MOST_LISTS = 16;

/** What other emitters write as it is where the conventions want JSON. */
const PLAIN: ReadonlySet<string> = new Set([
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
]);

/** What many calls have alike: read once for them. What one call alone has is not looked for there: a text is hashed for that. */
const SHARED: ReadonlySet<string> = new Set([
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_THOUGHTFLOW_OUTPUT_SCHEMA,
  ATTR_THOUGHTFLOW_PROMPT,
]);

export function createContentReader(): ContentReader {
  const parsed = createTextMemo(jsonOf);
  const askedIn = createTextMemo((text) => messagesOf(jsonOf(text), "user"));
  const structureIn = createTextMemo(structureOf);
  const memory = createShortMemory();
  const histories = createHistories(messageIn, memory);
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
    if (isText(raw)) return historyOf(askedIn(raw));
    // One that names the call that it goes on from tells what came since, which no other tells.
    const isAlone = !isContentList(raw) && attributeOf(record, ATTR_THOUGHTFLOW_CONTINUES);
    return isAlone ? histories.alone(raw) : histories.of(raw);
  }

  function answersOf(record: SpanRecord, call: Remembering): readonly ReadMessage[] | undefined {
    const raw = rawOf(record, ATTR_GEN_AI_OUTPUT_MESSAGES);
    if (raw === undefined) return undefined;
    const texts = isText(raw) ? [textOf(raw)] : textsOf(raw);
    let characters = 0;
    for (const { length } of texts) characters += length;
    memory(call, characters);
    return texts.flatMap((text) =>
      isText(raw) ? messagesOf(jsonOf(text), "assistant") : (messageIn(text) ?? []),
    );
  }

  const readers: CallReaders = {
    system: (record) => partsFrom(value(record, ATTR_GEN_AI_SYSTEM_INSTRUCTIONS)),
    tools(record) {
      const tools = listOf(value(record, ATTR_GEN_AI_TOOL_DEFINITIONS));
      return isOwnSpan(record) ? tools : toolDefinitions(tools);
    },
    prompt: (record) => makeupFrom(value(record, ATTR_THOUGHTFLOW_PROMPT)),
    output: answersOf,
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
      for (const name in content)
        if (typeof content[name] !== "string" && names.includes(name)) return true;
      return false;
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
  readonly [K in Exclude<keyof ModelCall, "input">]: (
    record: SpanRecord,
    call: Remembering,
  ) => ModelCall[K];
};

/** A class, since an object with getters of its own takes five times the memory. */
class ReadCall implements ModelCall, Remembering {
  readonly input: History | undefined;
  readonly #record: SpanRecord;
  readonly #readers: CallReaders;
  #output: ModelCall["output"];

  constructor(record: SpanRecord, input: History | undefined, readers: CallReaders) {
    this.input = input;
    this.#record = record;
    this.#readers = readers;
  }

  get system(): ModelCall["system"] {
    return this.#readers.system(this.#record, this);
  }

  get tools(): ModelCall["tools"] {
    return this.#readers.tools(this.#record, this);
  }

  get prompt(): ModelCall["prompt"] {
    return this.#readers.prompt(this.#record, this);
  }

  get output(): ModelCall["output"] {
    this.#output ??= this.#readers.output(this.#record, this);
    return this.#output;
  }

  get structure(): ModelCall["structure"] {
    return this.#readers.structure(this.#record, this);
  }

  forget(): void {
    this.#output = undefined;
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
    return fromExactJson(text);
  } catch {
    return undefined;
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Messages in any form; a list's elements are read one by one, what is no list is a whole request or answer. */
function messagesOf(value: unknown, role: string): readonly ReadMessage[] {
  if (Array.isArray(value)) return value.flatMap(messagesFrom);
  return messagesIn(value, role).map(({ role, parts }) => new ReadMessage(role, parts));
}

function messageIn(text: string): ReadMessage | undefined {
  return lateOutputIn(text) ?? messagesFrom(jsonOf(text))[0];
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
