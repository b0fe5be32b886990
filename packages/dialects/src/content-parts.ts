import type { GenAiPart } from "@thoughtflow/semconv";
import { toText } from "@thoughtflow/semconv";
import { mediaPart } from "./media-part.ts";
import { itemsOf, propertiesOf, textOf } from "./unknown-values.ts";

/**
 * The `content` of a chat message or a Responses item as parts: a string, or a list of content parts of either
 * API. An empty string has no part; parts of unknown type are kept as they are.
 */
export function contentParts(content: unknown): readonly GenAiPart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", content }];
  const parts: GenAiPart[] = [];
  for (const item of itemsOf(content)) {
    const part = contentPart(item);
    if (part !== undefined) parts.push(part);
  }
  return parts;
}

function contentPart(item: unknown): GenAiPart | undefined {
  if (typeof item === "string") return { type: "text", content: item };
  const part = propertiesOf(item);
  const type = textOf(part["type"]);
  switch (type) {
    case "text":
    case "input_text":
    case "output_text":
      return { type: "text", content: toText(part["text"]) };
    case "summary_text":
    case "reasoning_text":
      return { type: "reasoning", content: toText(part["text"]) };
    case "thinking":
      return { type: "reasoning", content: plainText(part["thinking"]) };
    case "refusal":
      return { type: "refusal", content: toText(part["refusal"]) };
    case "image_url":
      return mediaPart("image", { url: addressOf(part["image_url"]) });
    case "input_image":
    case "computer_screenshot":
      return mediaPart("image", { fileId: part["file_id"], url: addressOf(part["image_url"]) });
    case "input_audio": {
      const audio = propertiesOf(part["input_audio"]);
      return mediaPart("audio", {
        data: audio["data"],
        mimeType: textOf(audio["format"]) && `audio/${textOf(audio["format"])}`,
      });
    }
    case "file":
    case "input_file": {
      const file = type === "file" ? propertiesOf(part["file"]) : part;
      return mediaPart("document", {
        fileId: file["file_id"],
        url: file["file_url"],
        data: file["file_data"],
        filename: file["filename"],
      });
    }
    case undefined:
      return undefined;
    default:
      return { ...part, type };
  }
}

/** The text of content that is nothing but text; `undefined` when there is more to it. */
export function plainTextOf(parts: readonly GenAiPart[]): string | undefined {
  let text = "";
  for (const part of parts) {
    if (part.type !== "text") return undefined;
    text += part["content" as keyof typeof part];
  }
  return text;
}

function plainText(content: unknown): string {
  if (typeof content === "string") return content;
  return itemsOf(content)
    .map((item) => textOf(propertiesOf(item)["text"]) ?? "")
    .join("");
}

/** `"https:…"`, or `{ url: "https:…" }` as chat has it. */
function addressOf(value: unknown): unknown {
  return typeof value === "string" ? value : propertiesOf(value)["url"];
}
