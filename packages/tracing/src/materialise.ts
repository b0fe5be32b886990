import type { GenAiMessage } from "@thoughtflow/semconv";
import { ATTR_GEN_AI_INPUT_MESSAGES, ATTR_GEN_AI_OUTPUT_MESSAGES } from "@thoughtflow/semconv";
import type { ModelCallContent } from "./content.ts";
import { processState } from "./process-state.ts";
import { redactionGeneration, toContentJson } from "./redaction.ts";

/** A message of a model call with its text. */
export interface MaterialisedMessage {
  /** As the provider's object says it, not redacted: to compare with, never to write. The same object every time. */
  readonly message: GenAiMessage;
  /** Redacted JSON: what files and spans hold. */
  readonly json: string;
}

interface RememberedItem {
  readonly generation: number;
  readonly watched: readonly unknown[];
  readonly materialised: MaterialisedMessage | undefined;
}

interface RememberedList {
  readonly generation: number;
  readonly source: unknown;
  readonly messages: readonly MaterialisedMessage[];
}

const remembered = processState("materialised.v1", () => ({
  items: new WeakMap<object, RememberedItem>(),
  inputs: new WeakMap<ModelCallContent, RememberedList>(),
  outputs: new WeakMap<ModelCallContent, RememberedList>(),
}));

/**
 * The input of a model call in order, without items that have nothing to show. A message object that an earlier
 * call sent is not read again unless one of its fields holds something else now, so an agent's loop pays for
 * new messages only; a change deep inside a part goes unnoticed.
 */
export function inputMessagesOf(content: ModelCallContent): readonly MaterialisedMessage[] {
  const { dialect, request } = content;
  return listOf(remembered.inputs, content, request, () => {
    const messages: MaterialisedMessage[] = [];
    for (const item of dialect.inputItems(request)) {
      const materialised = itemOf(item, dialect.messageOf);
      if (materialised !== undefined) messages.push(materialised);
    }
    return messages;
  });
}

/** The answer, one message for each choice; empty until there is one. */
export function outputMessagesOf(content: ModelCallContent): readonly MaterialisedMessage[] {
  const { dialect, response } = content;
  if (response === undefined) return [];
  return listOf(remembered.outputs, content, response, () =>
    dialect.outputMessages(response).map((message) => ({
      message,
      json: toContentJson(message, ATTR_GEN_AI_OUTPUT_MESSAGES),
    })),
  );
}

function listOf(
  lists: WeakMap<ModelCallContent, RememberedList>,
  content: ModelCallContent,
  source: unknown,
  materialise: () => readonly MaterialisedMessage[],
): readonly MaterialisedMessage[] {
  const generation = redactionGeneration();
  const known = lists.get(content);
  if (known !== undefined && known.source === source && known.generation === generation) {
    return known.messages;
  }
  const messages = materialise();
  lists.set(content, { generation, source, messages });
  return messages;
}

function itemOf(
  item: unknown,
  messageOf: (item: unknown) => GenAiMessage | undefined,
): MaterialisedMessage | undefined {
  if (typeof item !== "object" || item === null) return materialiseItem(item, messageOf);
  const generation = redactionGeneration();
  const known = remembered.items.get(item);
  if (known?.generation === generation && isUnchanged(item, known.watched)) {
    return known.materialised;
  }
  const watched = watchedValues(item);
  const materialised = materialiseItem(item, messageOf);
  remembered.items.set(item, { generation, watched, materialised });
  return materialised;
}

function materialiseItem(
  item: unknown,
  messageOf: (item: unknown) => GenAiMessage | undefined,
): MaterialisedMessage | undefined {
  const message = messageOf(item);
  if (message === undefined) return undefined;
  return { message, json: toContentJson(message, ATTR_GEN_AI_INPUT_MESSAGES) };
}

/** The fields in which providers' message objects hold their content. */
const WATCHED_FIELDS = [
  "role",
  "content",
  "tool_calls",
  "arguments",
  "output",
  "summary",
  "result",
  "action",
  "status",
] as const;

type Watched = { readonly [field in (typeof WATCHED_FIELDS)[number]]?: unknown };

/** What stands in the fields, and how long the lists among them are: pushing to a list is a change too. */
function watchedValues(item: Watched): readonly unknown[] {
  return WATCHED_FIELDS.flatMap((field) => {
    const value = read(item, field);
    return [value, lengthOf(value)];
  });
}

function isUnchanged(item: Watched, watched: readonly unknown[]): boolean {
  return WATCHED_FIELDS.every((field, index) => {
    const value = read(item, field);
    return value === watched[2 * index] && lengthOf(value) === watched[2 * index + 1];
  });
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function read(item: Watched, field: (typeof WATCHED_FIELDS)[number]): unknown {
  try {
    return item[field];
  } catch {
    return undefined;
  }
}
