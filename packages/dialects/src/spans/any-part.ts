import type { GenAiPart } from "@thoughtflow/semconv";
import { toText } from "@thoughtflow/semconv";
import { contentParts } from "../content-parts.ts";
import { toolCallPart } from "../tool-call-part.ts";
import { itemsOf, propertiesOf, textOf } from "../unknown-values.ts";
import { parsedOr } from "./span-view.ts";

type Properties = Readonly<Record<string, unknown>>;
type Parts = readonly GenAiPart[] | undefined;

/** Any content as parts: text, one part, or a list of parts of any of the known shapes. Total. */
export function anyParts(value: unknown): readonly GenAiPart[] {
  if (typeof value === "string") return [{ type: "text", content: value }];
  if (Array.isArray(value)) return value.flatMap(anyPart);
  return anyPart(value);
}

function anyPart(value: unknown): readonly GenAiPart[] {
  if (typeof value === "string") return [{ type: "text", content: value }];
  if (typeof value !== "object" || value === null) return [];
  const part = value as Properties;
  const type = textOf(part["type"]) ?? textOf(part["kind"]);
  return type === undefined ? untyped(part) : (typed(type, part) ?? contentParts([part]));
}

/** Parts that say what they are; `undefined` where the content parts of OpenAI know better. */
function typed(type: string, part: Properties): readonly GenAiPart[] | undefined {
  switch (type) {
    case "text":
      return [{ type, content: toText(part["content"] ?? part["text"] ?? part["value"]) }];
    case "reasoning":
    case "thinking": {
      const said = part["content"] ?? part["text"] ?? part["thinking"] ?? part["reasoning"];
      const text = typeof said === "string" ? reasoningText(said) : "";
      return text === "" ? [] : [{ type: "reasoning", content: text }];
    }
    case "redacted_thinking":
      return [];
    case "function": {
      // Langtrace's: a call stands among the parts as OpenAI tells it beside them.
      const isCall = propertiesOf(part["function"])["arguments"] !== undefined;
      const call = isCall ? toolCall(part) : undefined;
      return call === undefined ? undefined : [call];
    }
    case "tool_call":
    case "tool-call":
    case "tool_use":
    case "toolUse":
    case "function_call": {
      const call = toolCall(part);
      return call === undefined ? [] : [call];
    }
    case "tool_call_response":
    case "tool-result":
    case "tool_result":
      return [toolResponse(idOf(part), outputOf(part), part["is_error"] === true)];
    default:
      return undefined;
  }
}

/** Some write the summaries of the Responses API as JSON: `[{ type: "summary_text", text }, …]`. */
function reasoningText(text: string): string {
  const summaries = text.startsWith("[{") ? itemsOf(parsedOr(text)) : [];
  const texts = summaries.flatMap((one) => textOf(propertiesOf(one)["text"]) ?? []);
  return texts.length > 0 && texts.length === summaries.length ? texts.join("\n\n") : text;
}

/** Gemini's parts are told apart by their only member. */
function untyped(part: Properties): readonly GenAiPart[] {
  if (typeof part["text"] === "string") {
    const type = part["thought"] === true ? "reasoning" : "text";
    return [{ type, content: part["text"] }];
  }
  const called = part["functionCall"] ?? part["function_call"];
  if (typeof called === "object" && called !== null)
    return [toolCall(called as Properties) ?? []].flat();
  const answered = part["functionResponse"] ?? part["function_response"];
  if (typeof answered === "object" && answered !== null) {
    const { id, response } = answered as Properties;
    return [toolResponse(id, response)];
  }
  return (
    genkitParts(part) ??
    haystackParts(part) ??
    converseParts(part) ??
    (Object.keys(part).length === 0 ? [] : [{ ...part, type: "generic" }])
  );
}

/** Genkit's parts of a message; `undefined` for others. A thought has nothing beside it but `metadata`. */
function genkitParts({ metadata: _, ...part }: Properties): Parts {
  const { toolRequest, toolResponse: given, reasoning, ...others } = part;
  const { ref, ...asked } = propertiesOf(toolRequest);
  const call = toolCall({ ...asked, id: ref });
  if (call !== undefined) return [call];
  const answered = propertiesOf(given);
  if (textOf(answered["name"]) !== undefined)
    return [toolResponse(answered["ref"], answered["output"])];
  const isThought = typeof reasoning === "string" && Object.keys(others).length === 0;
  return isThought ? [{ type: "reasoning", content: reasoning }] : undefined;
}

/** Haystack's parts of a message; `undefined` for others. */
function haystackParts(part: Properties): Parts {
  const call = toolCall(propertiesOf(part["tool_call"]));
  if (call !== undefined) return [call];
  const { origin, result, error } = propertiesOf(part["tool_call_result"]);
  if (origin !== undefined)
    return [toolResponse(propertiesOf(origin)["id"], result, error === true)];
  const text = textOf(propertiesOf(part["reasoning"])["reasoning_text"]);
  return text === undefined ? undefined : [{ type: "reasoning", content: text }];
}

/** The blocks of Amazon's Converse API, which Strands keeps its messages in; `undefined` for others. */
function converseParts(part: Properties): Parts {
  const call = toolCall(propertiesOf(part["toolUse"]));
  if (call !== undefined) return [call];
  const result = propertiesOf(part["toolResult"]);
  if (textOf(result["toolUseId"]) !== undefined)
    return [toolResponse(idOf(result), outputOf(result), result["status"] === "error")];
  const { reasoningText, redactedContent } = propertiesOf(part["reasoningContent"]);
  if (redactedContent !== undefined) return [];
  const text = textOf(propertiesOf(reasoningText)["text"]);
  return text === undefined ? undefined : [{ type: "reasoning", content: text }];
}

/** A call of a tool in any spelling; `undefined` where no name is to be found. */
export function toolCall(call: Properties): GenAiPart | undefined {
  const inner = propertiesOf(call["function"]);
  const name =
    textOf(call["name"]) ??
    textOf(inner["name"]) ??
    textOf(call["toolName"]) ??
    textOf(call["tool_name"]);
  if (name === undefined) return undefined;
  const args =
    call["arguments"] ?? inner["arguments"] ?? call["args"] ?? call["input"] ?? call["parameters"];
  return toolCallPart(idOf(call), name, args);
}

/** What a tool gave, or how it failed. */
export function toolResponse(id: unknown, response: unknown, isError = false): GenAiPart {
  const given = textOf(id);
  return {
    type: "tool_call_response",
    ...(given !== undefined && { id: given }),
    response: response ?? null,
    ...(isError && { is_error: true }),
  };
}

/** Of the Responses API, `call_id` joins and `id` is the item's own. */
function idOf(part: Properties): unknown {
  return (
    part["call_id"] ??
    part["tool_call_id"] ??
    part["toolCallId"] ??
    part["tool_use_id"] ??
    part["toolUseId"] ??
    part["id"] ??
    undefined
  );
}

/** The Vercel AI SDK wraps outputs in `{ type, value }`, Anthropic in text blocks. */
function outputOf(part: Properties): unknown {
  const given = part["response"] ?? part["result"] ?? part["output"] ?? part["content"] ?? null;
  if (Array.isArray(given)) {
    const parts = anyParts(given);
    if (parts.length > 0 && parts.every(({ type }) => type === "text"))
      return parts.map((one) => toText((one as Properties)["content"])).join("");
    return given;
  }
  const { type, value } = propertiesOf(given);
  return typeof type === "string" && value !== undefined ? value : given;
}
