import type { GenAiMessage } from "@thoughtflow/semconv";
import type { ModelCallContent, SpanContent } from "./content.ts";
import { equalItem, keyOf, plainSizeOf, rememberItem } from "./equal-messages.ts";
import type { InputItem } from "./input-item.ts";
import { BYTES_OF_CHARACTER, bytesOf } from "./memory-of.ts";
import { processState } from "./process-state.ts";

interface RememberedItem {
  readonly watched: Watched | undefined;
  /** Absent for an item that has nothing to show. */
  readonly item: InputItem | undefined;
}

interface RememberedList {
  readonly request: unknown;
  readonly items: readonly InputItem[];
}

const remembered = processState("input-items.v4", () => ({
  items: new WeakMap<object, RememberedItem>(),
  lists: new WeakMap<SpanContent, RememberedList>(),
}));

/**
 * The input of a model call in order, without items that have nothing to show. A message object that an earlier
 * call sent is not read again unless one of its fields holds something else now, so an agent's loop pays for
 * new messages only; a change deep inside a part goes unnoticed, and so does any change after the first look at
 * this call.
 */
export function inputItemsOf(content: ModelCallContent): readonly InputItem[] {
  const { dialect, request } = content;
  const known = remembered.lists.get(content);
  if (known !== undefined && known.request === request) return known.items;
  const items: InputItem[] = [];
  for (const one of dialect.inputItems(request)) {
    const item = recall(one, dialect.messageOf);
    if (item !== undefined) items.push(item);
  }
  remembered.lists.set(content, { request, items });
  return items;
}

/** Nobody asks for the input of this call any more. */
export function forgetInputItems(content: ModelCallContent): void {
  remembered.lists.delete(content);
}

function recall(
  one: unknown,
  messageOf: (item: unknown) => GenAiMessage | undefined,
): InputItem | undefined {
  if (typeof one !== "object" || one === null) return read(one, messageOf, bytesOf(one));
  const known = remembered.items.get(one);
  if (known?.watched !== undefined && isUnchanged(one, known.watched)) return known.item;
  const item = readOnce(one, messageOf);
  remembered.items.set(one, { watched: watch(one), item });
  return item;
}

/** What says the same as an earlier object is not read and written again, but another message all the same. */
function readOnce(
  one: object,
  messageOf: (item: unknown) => GenAiMessage | undefined,
): InputItem | undefined {
  const size = plainSizeOf(one);
  const bytes = Number.isFinite(size) ? BYTES_OF_CHARACTER * size : bytesOf(one);
  const key = keyOf(one, size);
  const equal = key === undefined ? undefined : equalItem(messageOf, key);
  if (equal !== undefined) {
    return { message: { ...equal.message }, written: equal.written, bytes, account: 0 };
  }
  const item = read(one, messageOf, bytes);
  if (item !== undefined && key !== undefined) rememberItem(messageOf, key, one, item);
  return item;
}

function read(
  one: unknown,
  messageOf: (item: unknown) => GenAiMessage | undefined,
  bytes: number,
): InputItem | undefined {
  const message = messageOf(one);
  if (message === undefined) return undefined;
  return { message, written: { text: undefined }, bytes, account: 0 };
}

/** The fields in which providers' message objects hold their content. */
interface Fields {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
  readonly arguments?: unknown;
  readonly output?: unknown;
  readonly summary?: unknown;
  readonly result?: unknown;
  readonly action?: unknown;
  readonly status?: unknown;
}

/** What stands in the fields, and how long the lists among them are: pushing to a list is a change too. */
interface Watched extends Fields {
  readonly contentLength: number;
  readonly callsLength: number;
  readonly outputLength: number;
  readonly summaryLength: number;
}

/** Field by field, because every message of every call comes here. `undefined` where a field throws. */
function watch(item: Fields): Watched | undefined {
  try {
    const { role, content, tool_calls, output, summary, result, action, status } = item;
    return {
      role,
      content,
      tool_calls,
      arguments: item.arguments,
      output,
      summary,
      result,
      action,
      status,
      contentLength: lengthOf(content),
      callsLength: lengthOf(tool_calls),
      outputLength: lengthOf(output),
      summaryLength: lengthOf(summary),
    };
  } catch {
    return undefined;
  }
}

function isUnchanged(item: Fields, watched: Watched): boolean {
  try {
    return (
      item.content === watched.content &&
      item.role === watched.role &&
      item.tool_calls === watched.tool_calls &&
      item.arguments === watched.arguments &&
      item.output === watched.output &&
      item.summary === watched.summary &&
      item.result === watched.result &&
      item.action === watched.action &&
      item.status === watched.status &&
      lengthOf(watched.content) === watched.contentLength &&
      lengthOf(watched.tool_calls) === watched.callsLength &&
      lengthOf(watched.output) === watched.outputLength &&
      lengthOf(watched.summary) === watched.summaryLength
    );
  } catch {
    return false;
  }
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
