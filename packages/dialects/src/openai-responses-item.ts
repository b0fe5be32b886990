import type { GenAiMessage, GenAiPart } from "@thoughtflow/semconv";
import { contentParts, plainTextOf } from "./content-parts.ts";
import { toolArgumentsOf, toolCallPart } from "./tool-call-part.ts";
import { itemsOf, present, propertiesOf, textOf } from "./unknown-values.ts";

/** Outputs of tools that the provider ran, in items of their own. */
const SERVER_OUTPUTS: ReadonlySet<string> = new Set(["tool_search_output", "program_output"]);

/** Where an item has what the provider's tool gave. */
const RESULTS: ReadonlySet<string> = new Set([
  "output",
  "outputs",
  "result",
  "results",
  "error",
  "tools",
]);

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
  const parts = itemParts(type, item);
  if (parts.length === 0) return undefined;
  const role = textOf(item["role"]) ?? (type === "mcp_approval_response" ? "user" : "assistant");
  return { role, parts };
}

/** Outputs that the caller's own code made; the provider's tools have theirs inside the call item. */
function isToolOutput(type: string): boolean {
  return type.endsWith("_output") && !SERVER_OUTPUTS.has(type);
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

function itemParts(type: string, item: Properties): readonly GenAiPart[] {
  switch (type) {
    case "function_call":
      return [toolCallPart(item["call_id"], item["name"], item["arguments"])];
    case "custom_tool_call": {
      const call = toolCallPart(item["call_id"], item["name"], undefined);
      return [{ ...call, arguments: item["input"] }];
    }
    case "computer_call":
    case "local_shell_call":
    case "shell_call":
    case "apply_patch_call": {
      const asked = item["action"] ?? item["actions"] ?? item["operation"];
      return [toolCallPart(item["call_id"], type.slice(0, -"_call".length), asked)];
    }
    case "reasoning":
      return reasoningParts(item);
    case "item_reference":
    case "compaction":
      return [{ type, ...present({ id: textOf(item["id"]) }) }];
    case "program":
    case "mcp_list_tools":
      return serverToolParts(type, item);
    default:
      if (type.endsWith("_call")) return serverToolParts(type.slice(0, -"_call".length), item);
      if (SERVER_OUTPUTS.has(type)) {
        return serverToolParts(type.slice(0, -"_output".length), item).slice(1);
      }
      return [{ ...withoutTransport(item), type }];
  }
}

/** What the model lets be read of its reasoning: the full text where it is given, else the summary. */
function reasoningParts(item: Properties): readonly GenAiPart[] {
  const text = joined(item["content"]) || joined(item["summary"]);
  return text === "" ? [] : [{ type: "reasoning", content: text }];
}

function joined(list: unknown): string {
  return itemsOf(list)
    .map((part) => textOf(propertiesOf(part)["text"]) ?? "")
    .join("\n\n");
}

/** A tool that the provider runs (web search, MCP, code interpreter …): its call, and its result where it shows one. */
function serverToolParts(kind: string, item: Properties): readonly GenAiPart[] {
  const { type: _type, call_id: _callId, name, ...rest } = withoutTransport(item);
  const members = Object.entries(rest).map(([key, value]): [string, unknown] => [
    key,
    key === "arguments" ? toolArgumentsOf(value) : value,
  ]);
  const given = members.filter(([key]) => RESULTS.has(key));
  const asked = members.filter(([key]) => !RESULTS.has(key));
  const id = present({ id: textOf(item["call_id"]) ?? textOf(item["id"]) });
  return [
    {
      type: "server_tool_call",
      ...id,
      name: textOf(name) ?? kind,
      server_tool_call: { type: kind, ...Object.fromEntries(asked) },
    },
    ...(given.length > 0
      ? [
          {
            type: "server_tool_call_response",
            ...id,
            server_tool_call_response: { type: kind, ...Object.fromEntries(given) },
          },
        ]
      : []),
  ];
}

/** `status` and `id` differ between an answer and the same item sent back; encrypted text shows nothing. */
function withoutTransport(item: Properties): Properties {
  const { id: _id, status: _status, encrypted_content: _encrypted, ...rest } = item;
  return present(Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)));
}
