import type { GenAiMessage, GenAiPart } from "@thoughtflow/semconv";
import { isTextPart } from "@thoughtflow/semconv";
import { itemsOf, propertiesOf } from "../unknown-values.ts";
import { anyMessages } from "./any-message.ts";
import { anyParts } from "./any-part.ts";
import { eventMessages, isEventMessage } from "./event-messages.ts";
import { isToolDefinition } from "./tool-definitions.ts";

type Properties = Readonly<Record<string, unknown>>;

/** Under which names requests and answers of the known APIs hold their messages. */
const HOLDERS = [
  "messages",
  "contents",
  "input",
  "prompt",
  "choices",
  "candidates",
  "generations",
  "output",
  "replies",
  "response",
  "message",
] as const;

/** Under which names requests hold instructions beside their messages. */
const INSTRUCTIONS = [
  "system",
  "instructions",
  "systemInstruction",
  "system_instruction",
  "system_prompt",
] as const;

const DEEPEST = 6;

/**
 * The messages in what an emitter wrote down as the input or the output of a call: a list, one message, a whole request or
 * answer, or plain text, which is taken as said by `role`. Empty where there is nothing. Total.
 */
export function messagesIn(value: unknown, role: string): readonly GenAiMessage[] {
  return found(value, role, 0) ?? whole(value, role);
}

/** Under which names alternatives stand; LangChain's `generations` are lists of them, one for each prompt. */
const SEVERAL = ["choices", "candidates", "generations", "replies"] as const;

/** The same of an answer: its pieces (items of the Responses API, chunks) as one message, but for several choices. */
export function answersIn(value: unknown): readonly GenAiMessage[] {
  const messages = messagesIn(value, "assistant");
  const isSeveral = SEVERAL.some((name) => itemsOf(propertiesOf(value)[name]).flat().length > 1);
  if (isSeveral || messages.length < 2) return messages;
  if (messages.some(({ role }) => role !== "assistant")) return messages;
  return [oneMessage(messages)];
}

/** Pieces of one answer as one message; texts that follow one another are one text. */
export function oneMessage(pieces: readonly GenAiMessage[]): GenAiMessage {
  const parts: GenAiPart[] = [];
  for (const part of pieces.flatMap((piece) => piece.parts)) {
    const last = parts.at(-1);
    if (last !== undefined && isTextPart(last) && isTextPart(part))
      parts[parts.length - 1] = { type: "text", content: last.content + part.content };
    else parts.push(part);
  }
  return { role: "assistant", parts };
}

function found(value: unknown, role: string, depth: number): readonly GenAiMessage[] | undefined {
  if (depth > DEEPEST) return undefined;
  if (typeof value === "string")
    return value === "" ? [] : [{ role, parts: [{ type: "text", content: value }] }];
  if (Array.isArray(value)) return inList(value, role, depth);
  if (typeof value !== "object" || value === null) return undefined;
  const item = value as Properties;
  if (isEventMessage(item)) return eventMessages([item]);
  const isHolder = SEVERAL.some((name) => Array.isArray(item[name]));
  const own = isHolder ? [] : anyMessages(item);
  if (own.length > 0) return own;
  for (const name of HOLDERS) {
    const held = item[name];
    if (held === undefined || held === null) continue;
    const messages = found(held, role, depth + 1);
    if (messages !== undefined && messages.length > 0)
      return [...instructionsIn(item), ...messages];
  }
  return undefined;
}

function inList(
  given: readonly unknown[],
  role: string,
  depth: number,
): readonly GenAiMessage[] | undefined {
  const list = given.filter((item) => !isToolDefinition(item));
  if (list.length === 0) return [];
  if (list.every((item) => isEventMessage(propertiesOf(item)))) return eventMessages(list);
  const each = list.map((item) => found(item, role, depth + 1));
  if (each.every((messages) => messages === undefined)) {
    const parts = anyParts(list);
    return parts.every(({ type }) => type === "generic") ? undefined : [{ role, parts }];
  }
  return each.flatMap((messages) => messages ?? []);
}

function instructionsIn(item: Properties): readonly GenAiMessage[] {
  for (const name of INSTRUCTIONS) {
    const given = item[name];
    if (given === undefined || given === null || given === "") continue;
    const parts = anyParts(propertiesOf(given)["parts"] ?? given);
    if (parts.length > 0) return [{ role: "system", parts }];
  }
  return [];
}

/** What is no message of any known shape, as the text that it is. */
function whole(value: unknown, role: string): readonly GenAiMessage[] {
  if (value === undefined || value === null) return [];
  if (typeof value === "object" && Object.keys(value).length === 0) return [];
  return [{ role, parts: [{ type: "text", content: JSON.stringify(value) }] }];
}
