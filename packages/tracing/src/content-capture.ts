import { structureOf } from "@thoughtflow/dialects";
import type { GenAiMessage, GenAiPart } from "@thoughtflow/semconv";
import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_THOUGHTFLOW_OUTPUT_SCHEMA,
  ATTR_THOUGHTFLOW_PROMPT,
  ATTR_THOUGHTFLOW_REQUEST,
  ATTR_THOUGHTFLOW_RESPONSE,
  ATTR_THOUGHTFLOW_RUN_INITIAL_STATE,
  ATTR_THOUGHTFLOW_STEP_STARTED,
  toolRequestIn,
  toolResponseIn,
} from "@thoughtflow/semconv";

/**
 * Kinds of content: instructions; what people and programs put in; what models and steps put out; tool definitions and
 * output schemas; what tools are called with; what they give.
 */
export type ContentField = "system" | "input" | "output" | "tools" | "arguments" | "results";

/** Every kind of content, in the order in which settings name them. */
export const CONTENT_FIELDS: readonly ContentField[] = [
  "system",
  "input",
  "output",
  "tools",
  "arguments",
  "results",
];

/** Content as JSON text by attribute; messages in pieces, one for each. */
export type ContentTexts = Readonly<Record<string, string | readonly string[]>>;

/** All content, none, or these kinds of it. */
export type ContentCapture = boolean | readonly ContentField[];

/** Whether nothing is to be hidden. What errors say may be of any kind: it is shown where this is true. */
export function capturesAll(capture: ContentCapture): boolean {
  return typeof capture === "boolean"
    ? capture
    : CONTENT_FIELDS.every((field) => capture.includes(field));
}

/** Whether anything of a content attribute is captured; of messages at least who said something. */
export function isCaptured(name: string, capture: ContentCapture): boolean {
  if (typeof capture === "boolean") return capture;
  if (MESSAGES.has(name)) return capture.length > 0;
  // All kinds in one.
  if (name === ATTR_THOUGHTFLOW_REQUEST || name === ATTR_THOUGHTFLOW_RESPONSE)
    return capturesAll(capture);
  // A prompt is one text of both.
  if (name === ATTR_THOUGHTFLOW_PROMPT) {
    return capture.includes("system") && capture.includes("input");
  }
  return capture.includes(fieldOf(name));
}

/** The attributes whose content is to be captured; of messages the parts, the others without their words. */
export function capturedContent(content: ContentTexts, capture: ContentCapture): ContentTexts {
  if (capturesAll(capture)) return content;
  return Object.fromEntries(
    Object.entries(content)
      .filter(([name]) => isCaptured(name, capture))
      .map(([name, text]) => [name, capturedText(name, text, capture)]),
  );
}

const UNREADABLE = JSON.stringify("[redacted: error]");

/** What is captured of an attribute of which something is. */
export function capturedText(
  name: string,
  text: string | readonly string[],
  capture: ContentCapture,
): string | readonly string[] {
  if (capturesAll(capture) || typeof capture === "boolean" || !MESSAGES.has(name)) return text;
  if (typeof text === "string") return capturedMessages(text, capture);
  return text.map((piece) => capturedMessages(piece, capture));
}

const MESSAGES: ReadonlySet<string> = new Set([
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
]);

/** One message, or a list of them, as JSON. */
function capturedMessages(json: string, fields: readonly ContentField[]): string {
  try {
    const value: GenAiMessage | readonly GenAiMessage[] = JSON.parse(json);
    return JSON.stringify(
      "role" in value
        ? withoutHidden(value, fields)
        : value.map((message) => withoutHidden(message, fields)),
    );
  } catch {
    return UNREADABLE;
  }
}

function fieldOf(name: string): ContentField {
  switch (name) {
    case ATTR_GEN_AI_SYSTEM_INSTRUCTIONS:
      return "system";
    case ATTR_GEN_AI_TOOL_DEFINITIONS:
    case ATTR_THOUGHTFLOW_OUTPUT_SCHEMA:
      return "tools";
    case ATTR_GEN_AI_TOOL_CALL_ARGUMENTS:
      return "arguments";
    case ATTR_GEN_AI_TOOL_CALL_RESULT:
      return "results";
    case ATTR_THOUGHTFLOW_STEP_STARTED:
    case ATTR_THOUGHTFLOW_RUN_INITIAL_STATE:
      return "input";
    default:
      return "output";
  }
}

function withoutHidden(message: GenAiMessage, fields: readonly ContentField[]): GenAiMessage {
  const { role } = message;
  const parts = message.parts.map((part): GenAiPart => {
    if (fields.includes(fieldOfPart(role, part))) return part;
    const [hidden] = structureOf({ role, parts: [part] }).parts;
    return { ...hidden, type: part.type };
  });
  return { ...message, parts };
}

function fieldOfPart(role: string, part: GenAiPart): ContentField {
  if (toolRequestIn(part) !== undefined) return "arguments";
  if (toolResponseIn(part) !== undefined) return "results";
  if (role === "system" || role === "developer") return "system";
  return role === "assistant" ? "output" : "input";
}
