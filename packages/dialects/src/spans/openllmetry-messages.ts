import type { GenAiMessage } from "@thoughtflow/semconv";
import { propertiesOf } from "../unknown-values.ts";
import { anyMessages } from "./any-message.ts";
import type { FlatEntry } from "./flat-lists.ts";
import type { Reader } from "./reader.ts";
import { parsedOr } from "./span-view.ts";

/** `gen_ai.prompt.0.role`, `.content`, `.tool_call_id`, `.tool_calls.0.name` …; of answers the role may be missing. */
export function openLLMetryMessages(role: string): Reader {
  return {
    as: `flattened messages; without a role the ${role}'s`,
    isList: true,
    read(span, prefix) {
      const found = span.list(prefix).flatMap((entry) => messagesOf(entry, role));
      return found.length > 0 ? JSON.stringify(found) : undefined;
    },
  };
}

function messagesOf(entry: FlatEntry, fallback: string): readonly GenAiMessage[] {
  const role = entry.text("role") ?? fallback;
  const content = entry.text("content");
  const calls = entry.list("tool_calls").map((call) => ({
    id: call.text("id"),
    name: call.text("name"),
    arguments: call.get("arguments"),
  }));
  const id = entry.text("tool_call_id");
  const told = contentOf(content);
  // Koog writes what the model asks for as the content of a message.
  if (calls.length === 0 && isCalls(told))
    return anyMessages({ role: "assistant", content: "", tool_calls: told });
  if (role === "tool") return anyMessages({ role, tool_call_id: id, content: content ?? "" });
  // Cohere's of an answer that is nothing but calls.
  const isNoText = calls.length > 0 && content === "[]";
  return anyMessages({ role, content: isNoText ? "" : told, tool_calls: calls });
}

function isCalls(content: unknown): content is readonly object[] {
  return (
    Array.isArray(content) &&
    content.every((item) => propertiesOf(item)["type"] === "function" && "function" in item)
  );
}

/** Lists of content parts are written as JSON; a text that only looks like JSON stays one. */
function contentOf(content: string | undefined): unknown {
  if (content === undefined) return "";
  const value = content.startsWith("[") ? parsedOr(content) : content;
  const isParts =
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((part) => typeof part === "object" && part !== null && "type" in part);
  return isParts ? value : content;
}
