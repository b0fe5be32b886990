import type { ContentList, StoredText } from "@thoughtflow/schema";
import { isContentList } from "@thoughtflow/schema/content-list";
import { keyOfText, textOf } from "@thoughtflow/schema/stored-text";
import type { MessageSource, ReadMessage } from "./read-message.ts";
import type { Remembering, ShortMemory } from "./short-memory.ts";

/**
 * What a model was sent, as what it was sent before and one message more. Lists that begin alike share their
 * beginning, one and the same object, so what was done for it need not be done again.
 */
export interface History extends MessageSource {
  /** Absent at the start. */
  readonly before: History | undefined;
  /** Read when it is looked at, where it is stored. Absent at the start, and where what was sent is no message. */
  readonly message: ReadMessage | undefined;
}

/** Makes histories of lists of JSON texts. */
export interface Histories {
  of(texts: readonly string[] | ContentList): History;
  /** The same of what shares no beginning with anything: nobody looks for it. */
  alone(texts: readonly string[]): History;
}

/** A history, and those that go on from it by the text that comes next. */
interface Branch extends History {
  readonly text: string | StoredText;
  /** The one used last: mostly the only one. */
  latest: Branch | undefined;
  /** All, once there are two. */
  all: Map<string, Branch> | undefined;
}

/** The start of all that share nothing. */
export const NO_HISTORY: History = { before: undefined, message: undefined };

/** @param messageIn reads the message in a text */
export function createHistories(
  messageIn: (text: string) => ReadMessage | undefined,
  memory: ShortMemory,
): Histories {
  const reading = { messageIn, memory };
  const start: Branch = { ...NO_HISTORY, text: "", latest: undefined, all: undefined };
  const known = new WeakMap<ContentList, Branch>();

  function grown(before: Branch, text: string | StoredText): Branch {
    const { latest } = before;
    const key = keyOfText(text);
    if (latest !== undefined && keyOfText(latest.text) === key) return latest;
    const seen = before.all?.get(key);
    const next = seen ?? new StoredBranch(before, text, reading);
    if (seen === undefined && latest !== undefined) {
      before.all ??= new Map([[keyOfText(latest.text), latest]]);
      before.all.set(key, next);
    }
    before.latest = next;
    return next;
  }

  function ofList(list: ContentList): Branch {
    const fresh: ContentList[] = [];
    let at: ContentList | undefined = list;
    let found: Branch | undefined;
    for (; at !== undefined && found === undefined; at = at.before) {
      found = known.get(at);
      if (found === undefined) fresh.push(at);
    }
    let end = found ?? start;
    for (const one of fresh.reverse()) {
      end = grown(end, one.last);
      known.set(one, end);
    }
    return end;
  }

  return {
    of(texts) {
      if (isContentList(texts)) return ofList(texts);
      let end = start;
      for (const text of texts) end = grown(end, text);
      return end;
    },
    alone(texts) {
      let end = start;
      for (const text of texts) end = new StoredBranch(end, text, reading);
      return end;
    },
  };
}

interface Reading {
  readonly messageIn: (text: string) => ReadMessage | undefined;
  readonly memory: ShortMemory;
}

class StoredBranch implements Branch, Remembering {
  readonly before: Branch;
  readonly text: string | StoredText;
  latest: Branch | undefined = undefined;
  all: Map<string, Branch> | undefined = undefined;
  readonly #reading: Reading;
  #message: ReadMessage | undefined = undefined;

  constructor(before: Branch, text: string | StoredText, reading: Reading) {
    this.before = before;
    this.text = text;
    this.#reading = reading;
  }

  get message(): ReadMessage | undefined {
    if (this.#message !== undefined) return this.#message;
    const text = textOf(this.text);
    const message = this.#reading.messageIn(text);
    this.#message = message;
    this.#reading.memory(this, text.length);
    return message;
  }

  forget(): void {
    this.#message = undefined;
  }
}

/** A history of messages that share nothing with others. */
export function historyOf(messages: Iterable<ReadMessage>): History {
  let history = NO_HISTORY;
  for (const message of messages) history = { before: history, message };
  return history;
}

/** The messages from the first to the last. */
export function messagesOf(history: History): ReadMessage[] {
  const messages: ReadMessage[] = [];
  for (let at: History | undefined = history; at !== undefined; at = at.before) {
    const { message } = at;
    if (message !== undefined) messages.push(message);
  }
  return messages.reverse();
}

/**
 * Adds up something over the messages of histories; for a beginning that was seen before, its sum is known. What is kept of
 * a message should keep where it is, and not the message.
 */
export function foldHistories<T>(
  none: T,
  add: (sum: T, message: ReadMessage, source: MessageSource) => T,
): (history: History) => T {
  const sums = new Map<History, T>();
  return (history) => {
    const fresh: History[] = [];
    let at: History | undefined = history;
    while (at !== undefined && !sums.has(at)) {
      fresh.push(at);
      at = at.before;
    }
    let sum = at === undefined ? none : (sums.get(at) as T);
    for (const one of fresh.reverse()) {
      const { message } = one;
      if (message !== undefined) sum = add(sum, message, one);
      sums.set(one, sum);
    }
    return sum;
  };
}
