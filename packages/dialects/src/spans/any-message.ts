import { type GenAiMessage, type GenAiPart, isTextPart, toText } from "@thoughtflow/semconv";
import { responsesItemMessage } from "../openai-responses-item.ts";
import { itemsOf, propertiesOf, textOf } from "../unknown-values.ts";
import { anyParts, toolCall, toolResponse } from "./any-part.ts";

type Properties = Readonly<Record<string, unknown>>;

/** Roles by what others call them. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ["human", "user"],
  ["ai", "assistant"],
  ["model", "assistant"],
  ["bot", "assistant"],
  ["function", "tool"],
  ["humanmessage", "user"],
  ["humanmessagechunk", "user"],
  ["aimessage", "assistant"],
  ["aimessagechunk", "assistant"],
  ["systemmessage", "system"],
  ["toolmessage", "tool"],
  ["functionmessage", "tool"],
  ["chatmessage", "user"],
]);

/** A role in the conventions' words: `model` is `assistant`, `human` is `user`; unknown ones are kept. */
function roleOf(role: string): string {
  return ROLES.get(role.toLowerCase()) ?? role;
}

/**
 * A message of any of the known shapes in the conventions' form: GenAI, OpenAI chat and Responses, Anthropic, Gemini,
 * LangChain, Vercel AI SDK, pydantic-ai. Mostly one; several where one object holds several (pydantic-ai's requests); none
 * where the value is no message. Total.
 */
export function anyMessages(value: unknown): readonly GenAiMessage[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const item = value as Properties;
  const { role, parts, content, message, kwargs, data, type } = item;
  // A choice, a candidate, a generation: the message stands inside.
  if (role === undefined && isProperties(message)) return anyMessages(message);
  if (role === undefined && isProperties(content) && Array.isArray(content["parts"]))
    return anyMessages({ role: "model", ...content });
  if (isProperties(kwargs)) return langChain(kwargs, itemsOf(item["id"]).at(-1));
  if (typeof type === "string" && ROLES.has(type.toLowerCase()))
    return langChain(isProperties(data) ? data : item, type);
  if (Array.isArray(parts) && parts.some((part) => "part_kind" in propertiesOf(part)))
    return pydanticMessages(parts);
  if (typeof role === "string") return [messageWithRole(item, roleOf(role))];
  if (typeof type === "string") {
    const response = responsesItemMessage(item);
    return response === undefined ? [] : [response];
  }
  const text = textOf(item["text"]);
  return text === undefined
    ? []
    : [{ role: "assistant", parts: [{ type: "text", content: text }] }];
}

function messageWithRole(item: Properties, role: string): GenAiMessage {
  const { parts, content } = item;
  const name = textOf(item["name"]);
  const named = name === undefined || role === "tool" ? {} : { name };
  if (role === "tool" && !isAnswered(parts))
    return { role, parts: toolParts({ ...item, content: parts ?? content }) };
  return { role, parts: [...spokenParts(item, parts ?? content), ...calls(item)], ...named };
}

/** Whether parts say of themselves what call they answer; LiteLLM says that beside them. */
function isAnswered(parts: unknown): boolean {
  return itemsOf(parts).some((part) => propertiesOf(part)["type"] === "tool_call_response");
}

/** What is said: reasoning beside the content first. */
function spokenParts(item: Properties, content: unknown): readonly GenAiPart[] {
  const reasoning = textOf(item["reasoning_content"]) ?? textOf(item["reasoning"]);
  const refusal = textOf(item["refusal"]);
  return [
    ...(reasoning === undefined ? [] : [{ type: "reasoning", content: reasoning }]),
    ...(content === "" || content === null ? [] : anyParts(content)),
    ...(refusal === undefined ? [] : [{ type: "refusal", content: refusal }]),
  ];
}

/** `tool_calls` of OpenAI and LangChain, `toolCalls`, and the older `function_call`. */
function calls(item: Properties): readonly GenAiPart[] {
  const beside = propertiesOf(item["additional_kwargs"]);
  const listed = [item["tool_calls"], item["toolCalls"], beside["tool_calls"]].find(
    (list) => itemsOf(list).length > 0,
  );
  const legacy = propertiesOf(item["function_call"] ?? beside["function_call"]);
  const all = itemsOf(listed).flatMap((call) => toolCall(propertiesOf(call)) ?? []);
  // Anthropic through LangChain: the same calls stand among the content, too.
  const spoken = new Set(
    itemsOf(item["content"])
      .map((part) => textOf(propertiesOf(part)["id"]))
      .filter((id) => id !== undefined),
  );
  const fresh = all.filter((call) => !spoken.has(toText((call as Properties)["id"])));
  const older = textOf(legacy["name"]) === undefined ? undefined : toolCall(legacy);
  return older === undefined || fresh.length > 0 ? fresh : [older];
}

/** A message that is a tool's answer, or that holds several. */
function toolParts(item: Properties): readonly GenAiPart[] {
  const { content } = item;
  const id = item["tool_call_id"] ?? item["toolCallId"] ?? item["call_id"] ?? item["id"];
  const parts = Array.isArray(content) ? anyParts(content) : [];
  if (parts.some(({ type }) => type === "tool_call_response")) return parts;
  const plain =
    parts.length > 0 && parts.every(isTextPart)
      ? parts.map(({ content: text }) => text).join("")
      : undefined;
  return [toolResponse(id, plain ?? content ?? null)];
}

function langChain(message: Properties, kind: unknown): readonly GenAiMessage[] {
  const given = textOf(message["role"]) ?? textOf(message["type"]) ?? toText(kind);
  const role = roleOf(given === "constructor" ? toText(kind) : given);
  return [messageWithRole(message, ROLES.get(toText(kind).toLowerCase()) ?? role)];
}

const PYDANTIC_ROLES: ReadonlyMap<unknown, string> = new Map([
  ["system-prompt", "system"],
  ["user-prompt", "user"],
  ["retry-prompt", "user"],
]);

function pydanticMessages(parts: readonly unknown[]): readonly GenAiMessage[] {
  return parts.map((value): GenAiMessage => {
    const part = propertiesOf(value);
    const { part_kind: kind, content } = part;
    const role = PYDANTIC_ROLES.get(kind);
    if (kind === "tool-return")
      return { role: "tool", parts: [toolResponse(part["tool_call_id"], content)] };
    if (kind === "tool-call") {
      const call = toolCall({ ...part, id: part["tool_call_id"], name: part["tool_name"] });
      return { role: "assistant", parts: call === undefined ? [] : [call] };
    }
    if (kind === "thinking")
      return { role: "assistant", parts: [{ type: "reasoning", content: toText(content) }] };
    return { role: role ?? "assistant", parts: anyParts(content) };
  });
}

function isProperties(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
