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
}

/** Anything else: images, files, refusals, server-side tools. */
export interface OtherPart {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Told apart by `type`; any type may occur. */
export type GenAiPart = TextPart | ReasoningPart | ToolCallPart | ToolCallResponsePart | OtherPart;

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
  return parts
    .filter(isTextPart)
    .map((part) => part.content)
    .join("\n");
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
