/**
 * GenAI messages as the conventions write them in `gen_ai.input.messages` and `gen_ai.output.messages`.
 * Source: open-telemetry/semantic-conventions-genai, model/gen-ai/*.json. Objects may carry more keys.
 */

/** Words. */
export interface TextPart {
  readonly type: "text";
  readonly content: string;
}

/** What the model thought before it answered, where the provider shows it. */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly content: string;
}

/** A model asks for a tool. */
export interface ToolCallPart {
  readonly type: "tool_call";
  readonly id?: string;
  readonly name: string;
  /** The parsed arguments; the text as it came when it is no JSON. */
  readonly arguments?: unknown;
}

/** A tool's output, given to the model. */
export interface ToolCallResponsePart {
  readonly type: "tool_call_response";
  readonly id?: string;
  readonly response: unknown;
  /** Whether the model was told that the tool failed: what Anthropic's API has a field for. Default false. */
  readonly is_error?: boolean;
}

/** A tool that the provider ran itself: what the model asked of it. */
export interface ServerToolCallPart {
  readonly type: "server_tool_call";
  readonly id?: string;
  readonly name: string;
  /** The kind of tool as `type`, and what was asked. */
  readonly server_tool_call: Readonly<Record<string, unknown>>;
}

/** What a tool gave that the provider ran itself. */
export interface ServerToolCallResponsePart {
  readonly type: "server_tool_call_response";
  readonly id?: string;
  /** The kind of tool as `type`, and what it gave. */
  readonly server_tool_call_response: Readonly<Record<string, unknown>>;
}

/** Anything else: images, files, refusals. */
export interface OtherPart {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Told apart by `type`; any type may occur. */
export type GenAiPart =
  | TextPart
  | ReasoningPart
  | ToolCallPart
  | ToolCallResponsePart
  | ServerToolCallPart
  | ServerToolCallResponsePart
  | OtherPart;

/** One message of a model call. */
export interface GenAiMessage {
  /** `system`, `user`, `assistant`, `tool`, or what the provider calls it. */
  readonly role: string;
  readonly parts: readonly GenAiPart[];
  readonly name?: string;
}

/** Whether a part is text; foreign emitters may send text parts without content. */
export function isTextPart(part: GenAiPart): part is TextPart {
  return part.type === "text" && typeof (part as OtherPart)["content"] === "string";
}

/** The words among parts, each part's on lines of its own; empty when there are none. */
export function wordsOf(parts: readonly GenAiPart[]): string {
  let words: string | undefined;
  for (const part of parts)
    if (isTextPart(part)) words = words === undefined ? part.content : `${words}\n${part.content}`;
  return words ?? "";
}

/** Whether a part is reasoning with words. */
export function isReasoningPart(part: GenAiPart): part is ReasoningPart {
  return part.type === "reasoning" && typeof (part as OtherPart)["content"] === "string";
}

/** Whether a part asks for a tool by name. */
export function isToolCallPart(part: GenAiPart): part is ToolCallPart {
  return part.type === "tool_call" && typeof (part as OtherPart)["name"] === "string";
}

/** Whether a part is a tool's output. */
export function isToolCallResponsePart(part: GenAiPart): part is ToolCallResponsePart {
  return part.type === "tool_call_response";
}

/** A tool call without regard to who runs the tool; `undefined` for any other part. */
export function toolRequestIn(part: GenAiPart): Omit<ToolCallPart, "type"> | undefined {
  if (isToolCallPart(part)) return part;
  const { type, id, name, server_tool_call: asked } = part as ServerToolCallPart;
  if (type !== "server_tool_call" || typeof name !== "string") return undefined;
  return { ...(id !== undefined && { id }), name, arguments: withoutKind(asked) };
}

/** A tool's output without regard to who ran the tool; `undefined` for any other part. */
export function toolResponseIn(part: GenAiPart): Omit<ToolCallResponsePart, "type"> | undefined {
  if (isToolCallResponsePart(part)) return part;
  const { type, id, server_tool_call_response: given } = part as ServerToolCallResponsePart;
  if (type !== "server_tool_call_response") return undefined;
  return { ...(id !== undefined && { id }), response: withoutKind(given) };
}

function withoutKind(tool: Readonly<Record<string, unknown>> | undefined): unknown {
  if (typeof tool !== "object" || tool === null) return tool;
  const { type: _kind, ...rest } = tool;
  return rest;
}
