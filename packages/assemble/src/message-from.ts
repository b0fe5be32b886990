import { anyMessages } from "@thoughtflow/dialects/spans";
import { fromExactJson } from "@thoughtflow/schema/exact-json";
import type { GenAiPart } from "@thoughtflow/semconv";
import { ReadMessage } from "./read-message.ts";

/** Any value as messages: the form of the conventions, or any of those that other emitters write. Mostly one. */
export function messagesFrom(value: unknown): readonly ReadMessage[] {
  if (!isObject(value)) return [];
  const { role, parts } = value;
  if (typeof role === "string" && isTyped(parts)) return [new ReadMessage(role, partsFrom(parts))];
  return anyMessages(value).map((message) => new ReadMessage(message.role, message.parts));
}

/** Any value as parts: a list, one part, or plain text. */
export function partsFrom(value: unknown): readonly GenAiPart[] {
  if (value === undefined) return NO_PARTS;
  const parts = Array.isArray(value) ? value.map(partFrom) : [partFrom(value)];
  return parts.every((part) => part !== undefined)
    ? parts
    : parts.filter((part) => part !== undefined);
}

const NO_PARTS: readonly GenAiPart[] = [];

/** Roles and parts in the words of the conventions. */
function isTyped(parts: unknown): parts is readonly unknown[] {
  return Array.isArray(parts) && parts.every((part) => isObject(part) && isKnownType(part));
}

/** The text of a text part is its `content`; parts that say it otherwise are another dialect's. */
function isKnownType(part: Record<string, unknown>): boolean {
  const { type, content } = part;
  if (type === "text") return !("text" in part);
  if (type === "reasoning") return !("text" in part) && !isList(content);
  return typeof type === "string" && type !== "thinking" && !("call_id" in part);
}

/** Reasoning that is a list of summaries as JSON. */
function isList(content: unknown): boolean {
  return typeof content === "string" && content.startsWith("[{");
}

function partFrom(value: unknown): GenAiPart | undefined {
  if (typeof value === "string") return { type: "text", content: value };
  if (!isObject(value)) return undefined;
  const { type } = value;
  if (typeof type !== "string" || isEmptyText(value)) return undefined;
  if (type === "tool_call_response" && !("response" in value) && "result" in value) {
    const { type: _, result, ...others } = value;
    return { type, ...others, response: result };
  }
  if (type === "tool_call" && typeof value["arguments"] === "string") {
    return { type, ...value, arguments: parsedOr(value["arguments"]) };
  }
  return isTypeFirst(value) ? { ...value, type } : { type, ...value };
}

function isTypeFirst(value: object): boolean {
  for (const name in value) return name === "type";
  return false;
}

/** Some write one beside the calls of a message that says nothing. */
function isEmptyText({ type, content }: Record<string, unknown>): boolean {
  return type === "text" && content === "";
}

function parsedOr(text: string): unknown {
  try {
    return fromExactJson(text);
  } catch {
    return text;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
