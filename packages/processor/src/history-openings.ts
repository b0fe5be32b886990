import { briefKey } from "@thoughtflow/assemble";
import type { ContentList, SpanRecord, StoredText } from "@thoughtflow/schema";
import { isContentList } from "@thoughtflow/schema/content-list";
import { isText, textOf } from "@thoughtflow/schema/stored-text";
import {
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_OPENAI_API_TYPE,
  ATTR_THOUGHTFLOW_MESSAGES,
  ATTR_THOUGHTFLOW_STEP_STARTED,
  type GenAiMessage,
  wordsOf,
} from "@thoughtflow/semconv";

/** How a history begins: all that stands before what is the model's. */
export interface Opening {
  readonly key: string;
  /** Something of the model's came behind it. */
  readonly isSpoken: boolean;
}

const OF_A_USER = '{"role":"user"';
const OF_NOBODY = /^\{"role":"(?:system|developer)"/;
const NOTHING_SAID: Opening = { key: "", isSpoken: false };

/**
 * Answers how the history of a call begins: nothing said where it has none, `undefined` where that takes all of the session to tell.
 * A call that goes on from no other has nothing behind it but what people said.
 */
export function createOpenings(): (record: SpanRecord) => Opening | undefined {
  const known = new WeakMap<ContentList, Opening>();

  function ofList(list: ContentList): Opening {
    const fresh: ContentList[] = [];
    let opening: Opening | undefined;
    for (let at: ContentList | undefined = list; at !== undefined; at = at.before) {
      opening = known.get(at);
      if (opening !== undefined) break;
      fresh.push(at);
    }
    opening ??= NOTHING_SAID;
    for (const one of fresh.reverse()) {
      opening = withText(opening, one.last);
      known.set(one, opening);
    }
    return opening;
  }

  return (record) => {
    if (isThere(record, ATTR_THOUGHTFLOW_MESSAGES)) return undefined;
    const { attributes, content } = record;
    if (attributes[ATTR_GEN_AI_INPUT_MESSAGES] !== undefined) return undefined;
    const input = content?.[ATTR_GEN_AI_INPUT_MESSAGES];
    if (input === undefined) return NOTHING_SAID;
    // Of a conversation that the provider keeps the latest call is gone on from.
    const isKept = attributes[ATTR_OPENAI_API_TYPE] === "responses";
    if (isKept && attributes[ATTR_GEN_AI_CONVERSATION_ID] !== undefined) return undefined;
    if (isText(input)) return undefined;
    return isContentList(input) ? ofList(input) : input.reduce(withText, NOTHING_SAID);
  };
}

/** The first message of a call's input but for those of nobody, by its words; `undefined` where there is none. */
export function firstMessageOf({ content }: SpanRecord): string | undefined {
  const input = content?.[ATTR_GEN_AI_INPUT_MESSAGES];
  if (input === undefined || isText(input)) return undefined;
  const texts = isContentList(input) ? textsOfList(input) : input;
  // Journals may keep the same words in other ways.
  for (const text of texts) {
    const words = textOf(text);
    if (!OF_NOBODY.test(words)) return briefKey(words);
  }
  return undefined;
}

function textsOfList(list: ContentList): readonly (string | StoredText)[] {
  const texts: (string | StoredText)[] = [];
  for (let at: ContentList | undefined = list; at !== undefined; at = at.before)
    texts.push(at.last);
  return texts.reverse();
}

function withText(opening: Opening, text: string | StoredText): Opening {
  if (opening.isSpoken) return opening;
  const words = textOf(text);
  if (OF_NOBODY.test(words)) return opening;
  if (!words.startsWith(OF_A_USER)) return { ...opening, isSpoken: true };
  return { key: briefKey(`${opening.key} ${words}`), isSpoken: false };
}

/** What people say in a call's input, message by message, by its words. */
export function wordsGiven({ content }: SpanRecord): readonly string[] {
  const input = content?.[ATTR_GEN_AI_INPUT_MESSAGES];
  if (input === undefined || isText(input)) return [];
  const texts = isContentList(input) ? textsOfList(input) : input;
  return texts.flatMap((text) => {
    const json = textOf(text);
    if (!json.startsWith(OF_A_USER)) return [];
    const { parts = [] } = JSON.parse(json) as Partial<GenAiMessage>;
    return [briefKey(wordsOf(parts))];
  });
}

/** The words of a message that a span records, as `wordsGiven` tells them. */
export function wordsSaid({ content }: SpanRecord): string | undefined {
  const started = content?.[ATTR_THOUGHTFLOW_STEP_STARTED];
  if (started === undefined || !isText(started)) return undefined;
  const { text } = JSON.parse(textOf(started)) as { readonly text?: unknown };
  return typeof text === "string" ? briefKey(text) : undefined;
}

/** Whether a span has it, as an attribute or as content. */
export function isThere({ attributes, content }: SpanRecord, name: string): boolean {
  return attributes[name] !== undefined || content?.[name] !== undefined;
}
