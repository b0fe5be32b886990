import type { GenAiMessage, GenAiPart } from "@thoughtflow/semconv";
import { contentParts, plainTextOf } from "./content-parts.ts";
import { toolCallPart } from "./tool-call-part.ts";
import { itemsOf, present, propertiesOf, textOf } from "./unknown-values.ts";

type Properties = Readonly<Record<string, unknown>>;

/**
 * One Responses item as a message: what the caller sends, and what the API answers with, give equal parts.
 * Encrypted reasoning and empty items have nothing to show.
 */
export function responsesItemMessage(value: unknown): GenAiMessage | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const item = propertiesOf(value);
  const type = textOf(item["type"]) ?? "message";
  if (type === "message") {
    return { role: textOf(item["role"]) ?? "assistant", parts: contentParts(item["content"]) };
  }
  if (isToolOutput(type)) return { role: "tool", parts: [toolOutputPart(item)] };
  const part = itemPart(type, item);
  if (part === undefined) return undefined;
  return { role: textOf(item["role"]) ?? "assistant", parts: [part] };
}

/** Outputs that the caller's own code made; the provider's tools have theirs inside the call item. */
function isToolOutput(type: string): boolean {
  return type.endsWith("_output") && type !== "tool_search_output" && type !== "program_output";
}

function toolOutputPart(item: Properties): GenAiPart {
  const { output } = item;
  const parts = contentParts(output);
  const plain = plainTextOf(parts);
  const listed = Array.isArray(output) && parts.length > 0;
  return {
    type: "tool_call_response",
    ...present({ id: textOf(item["call_id"]) ?? textOf(item["id"]) }),
    response: typeof output === "string" ? output : listed ? (plain ?? parts) : (output ?? null),
  };
}

function itemPart(type: string, item: Properties): GenAiPart | undefined {
  switch (type) {
    case "function_call":
      return toolCallPart(item["call_id"], item["name"], item["arguments"]);
    case "custom_tool_call":
      return {
        ...toolCallPart(item["call_id"], item["name"], undefined),
        arguments: item["input"],
      };
    case "computer_call":
    case "local_shell_call":
    case "shell_call":
    case "apply_patch_call":
      return toolCallPart(
        item["call_id"],
        type.slice(0, -"_call".length),
        item["action"] ?? item["actions"] ?? item["operation"],
      );
    case "reasoning":
      return reasoningPart(item);
    case "item_reference":
      return { type, ...present({ id: textOf(item["id"]) }) };
    case "compaction":
      return { type, ...present({ id: textOf(item["id"]) }) };
    default:
      return type.endsWith("_call") || type === "mcp_list_tools"
        ? serverToolCallPart(type, item)
        : { ...withoutTransport(item), type };
  }
}

/** What the model lets be read of its reasoning: the full text where it is given, else the summary. */
function reasoningPart(item: Properties): GenAiPart | undefined {
  const text = joined(item["content"]) || joined(item["summary"]);
  return text === "" ? undefined : { type: "reasoning", content: text };
}

function joined(list: unknown): string {
  return itemsOf(list)
    .map((part) => textOf(propertiesOf(part)["text"]) ?? "")
    .join("\n\n");
}

/** A tool that the provider runs (web search, MCP, code interpreter …): its call and its result are one item. */
function serverToolCallPart(type: string, item: Properties): GenAiPart {
  const kind = type === "mcp_list_tools" ? type : type.slice(0, -"_call".length);
  return {
    type: "server_tool_call",
    ...present({ id: textOf(item["id"]) }),
    name: textOf(item["name"]) ?? kind,
    server_tool_call: { ...withoutTransport(item), type: kind },
  };
}

/** `status` and `id` differ between an answer and the same item sent back; encrypted text shows nothing. */
function withoutTransport(item: Properties): Properties {
  const { id: _id, status: _status, encrypted_content: _encrypted, ...rest } = item;
  return present(Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)));
}
