import type { GenAiMessage, GenAiPart } from "@thoughtflow/semconv";
import { contentParts, plainTextOf } from "./content-parts.ts";
import { toolCallPart } from "./tool-call-part.ts";
import { itemsOf, present, propertiesOf, textOf } from "./unknown-values.ts";

/**
 * A chat message, written by hand or taken from `choices[].message`: both give equal parts. Nulls, citations
 * and log probabilities have no part.
 */
export function chatMessageOf(item: unknown): GenAiMessage | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const message = propertiesOf(item);
  const role = textOf(message["role"]) ?? "assistant";
  const name = present({ name: textOf(message["name"]) });
  if (role === "tool" || role === "function") {
    return { role: "tool", parts: [toolResponsePart(message)], ...name };
  }
  return { role, parts: messageParts(message), ...name };
}

function messageParts(message: Readonly<Record<string, unknown>>): readonly GenAiPart[] {
  const parts: GenAiPart[] = [];
  const reasoning = textOf(message["reasoning_content"]) ?? textOf(message["reasoning"]);
  if (reasoning !== undefined) parts.push({ type: "reasoning", content: reasoning });
  parts.push(...contentParts(message["content"]));
  // Pictures that a model made, as OpenRouter and LiteLLM give them.
  parts.push(...contentParts(message["images"]));
  const refusal = textOf(message["refusal"]);
  if (refusal !== undefined) parts.push({ type: "refusal", content: refusal });
  const audio = spokenPart(message["audio"]);
  if (audio !== undefined) parts.push(audio);
  for (const item of itemsOf(message["tool_calls"])) parts.push(calledTool(item));
  const legacy = propertiesOf(message["function_call"]);
  if (textOf(legacy["name"]) !== undefined) {
    parts.push(toolCallPart(undefined, legacy["name"], legacy["arguments"]));
  }
  return parts;
}

function calledTool(item: unknown): GenAiPart {
  const call = propertiesOf(item);
  const custom = propertiesOf(call["custom"]);
  if (textOf(custom["name"]) !== undefined) {
    return { ...toolCallPart(call["id"], custom["name"], undefined), arguments: custom["input"] };
  }
  const called = propertiesOf(call["function"]);
  return toolCallPart(call["id"], called["name"], called["arguments"]);
}

function toolResponsePart(message: Readonly<Record<string, unknown>>): GenAiPart {
  const parts = contentParts(message["content"]);
  return {
    type: "tool_call_response",
    ...present({ id: textOf(message["tool_call_id"]) }),
    response: plainTextOf(parts) ?? parts,
  };
}

/** A spoken answer comes with its sound and is sent back by its id alone. */
function spokenPart(value: unknown): GenAiPart | undefined {
  const audio = propertiesOf(value);
  const id = textOf(audio["id"]);
  if (id === undefined) return undefined;
  const transcript = textOf(audio["transcript"]);
  return { type: "file", modality: "audio", file_id: id, ...present({ transcript }) };
}
