import { type GenAiMessage, type GenAiPart, isTextPart } from "@thoughtflow/semconv";
import { mediaPart } from "../media-part.ts";
import { anyMessages } from "./any-message.ts";
import { toolCall, toolResponse } from "./any-part.ts";
import type { FlatEntry } from "./flat-lists.ts";
import { oneMessage } from "./messages-in.ts";
import type { Reader } from "./reader.ts";

/** `llm.input_messages.0.message.role`, `….message.contents.0.message_content.text`, `….tool_calls.0.tool_call.…` */
export const openInferenceMessages: Reader = {
  as: "flattened messages",
  isList: true,
  read(span, prefix) {
    const messages = span.list(prefix).map(messageOf);
    return messages.length === 0 ? undefined : JSON.stringify(messages);
  },
};

/** The same of an answer, whose pieces (items of the Responses API, BeeAI's chunks) are one message. */
export const openInferenceAnswer: Reader = {
  as: "flattened messages, as one",
  isList: true,
  read(span, prefix) {
    const messages = span.list(prefix).map(messageOf);
    if (messages.length === 0) return undefined;
    return JSON.stringify(messages.length === 1 ? messages : [oneMessage(messages)]);
  },
};

/** `llm.prompts.0.prompt.text`, `llm.choices.0.completion.text` */
export function openInferenceTexts(role: string, path: string): Reader {
  return {
    as: "flattened texts",
    isList: true,
    read(span, prefix) {
      const texts = span.list(prefix).flatMap((entry) => entry.text(path) ?? []);
      if (texts.length === 0) return undefined;
      const parts = (content: string): GenAiPart[] => [{ type: "text", content }];
      return JSON.stringify(texts.map((content) => ({ role, parts: parts(content) })));
    },
  };
}

function messageOf(entry: FlatEntry): GenAiMessage {
  const said = entry.text("message.role") ?? "user";
  // Anthropic's results of tools are the user's.
  const role = said === "user" && entry.text("message.tool_call_id") !== undefined ? "tool" : said;
  const content = entry.get("message.content");
  const name = entry.text("message.name");
  const [plain] = anyMessages({
    role,
    content: content ?? "",
    ...(name !== undefined && { name }),
    tool_call_id: entry.text("message.tool_call_id"),
  });
  const base = plain ?? { role, parts: [] };
  const contents = entry.list("message.contents").flatMap(partOf);
  if (base.role === "tool") {
    const response = contents.length > 0 ? wordsOf(contents) : content;
    return { ...base, parts: [toolResponse(entry.text("message.tool_call_id"), response)] };
  }
  // Some write a plain text a second time, as its only content.
  const isTwice = contents.some((part) => isTextPart(part) && part.content === content);
  return { ...base, parts: [...(isTwice ? [] : base.parts), ...contents, ...callsOf(entry)] };
}

function wordsOf(parts: readonly GenAiPart[]): unknown {
  const isPlain = parts.every(({ type }) => type === "text");
  return isPlain ? parts.map((part) => part["content" as keyof GenAiPart]).join("") : parts;
}

function callsOf(entry: FlatEntry): readonly GenAiPart[] {
  const calls = entry.list("message.tool_calls").flatMap(
    (call) =>
      toolCall({
        id: call.text("tool_call.id"),
        name: call.text("tool_call.function.name"),
        arguments: call.get("tool_call.function.arguments"),
      }) ?? [],
  );
  const legacy = toolCall({
    name: entry.text("message.function_call_name"),
    arguments: entry.get("message.function_call_arguments_json"),
  });
  return legacy === undefined || calls.length > 0 ? calls : [legacy];
}

function partOf(entry: FlatEntry): readonly GenAiPart[] {
  const type = entry.text("message_content.type");
  const text = entry.text("message_content.text");
  const image = entry.text("message_content.image.image.url");
  if (image !== undefined) return [mediaPart("image", { url: image }) ?? []].flat();
  if (type === "reasoning") return text === undefined ? [] : [{ type, content: text }];
  if (type === "tool_use") return [];
  return text === undefined ? [] : [{ type: "text", content: text }];
}
