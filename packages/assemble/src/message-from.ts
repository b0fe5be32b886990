import type { GenAiMessage, GenAiPart } from "@thoughtflow/semconv";

/** Any value as a message: the form of the conventions, or the flat `{ role, content }` that some emitters write. */
export function messageFrom(value: unknown): GenAiMessage | undefined {
  if (!isObject(value)) return undefined;
  const { role, parts, content, name } = value;
  if (typeof role !== "string") return undefined;
  return {
    role,
    parts: partsFrom(parts ?? content),
    ...(typeof name === "string" && { name }),
  };
}

/** Any value as parts: a list, one part, or plain text. */
export function partsFrom(value: unknown): readonly GenAiPart[] {
  if (typeof value === "string") return [{ type: "text", content: value }];
  if (Array.isArray(value)) return value.flatMap(partFrom);
  return partFrom(value);
}

function partFrom(value: unknown): readonly GenAiPart[] {
  if (typeof value === "string") return [{ type: "text", content: value }];
  if (!isObject(value)) return [];
  const { type, ...rest } = value;
  if (typeof type !== "string") return [];
  if (type === "tool_call_response" && !("response" in rest) && "result" in rest) {
    const { result, ...others } = rest;
    return [{ type, ...others, response: result }];
  }
  if (type === "tool_call" && typeof rest["arguments"] === "string") {
    return [{ type, ...rest, arguments: parsedOr(rest["arguments"]) }];
  }
  return [{ type, ...rest }];
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
