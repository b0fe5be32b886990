import { isTextPart, wordsOf } from "@thoughtflow/semconv";
import { partsOfAnthropic } from "../anthropic-message.ts";
import { listOf, membersOf, textOf } from "../plain-values.ts";
import type { TranscriptLine } from "./transcript-line.ts";

/** The words of a user's record, where it is nothing but words. */
export function promptOf(line: TranscriptLine): string | undefined {
  if (line.type !== "user") return undefined;
  const parts = partsOfAnthropic(line.message["content"]);
  return parts.length > 0 && parts.every(isTextPart) ? wordsOf(parts) : undefined;
}

/** The result of a tool call in a user's record; empty where it is not there. */
export function blockOf(
  { message }: TranscriptLine,
  toolUseId: string,
): Readonly<Record<string, unknown>> {
  const block = listOf(message["content"]).find(
    (one) => membersOf(one)["tool_use_id"] === toolUseId,
  );
  return membersOf(block);
}

/** What the tool said. */
export function resultBlock(line: TranscriptLine, toolUseId: string): unknown {
  return blockOf(line, toolUseId)["content"];
}

function subtypeOf({ record }: TranscriptLine): string {
  return (
    textOf(record["subtype"]) ??
    textOf(membersOf(record["data"])["type"]) ??
    textOf(membersOf(record["attachment"])["type"]) ??
    ""
  );
}

/** The text of what was attached. */
export function attachedText({ record }: TranscriptLine): string | undefined {
  const { content } = membersOf(record["attachment"]);
  const lines = typeof content === "string" ? [content] : listOf(content);
  return textOf(lines.filter((one) => typeof one === "string").join("\n"));
}

/** What kind of record it is, in its own words: `system local_command`. */
export function lossOf(line: TranscriptLine): string {
  return `${line.type} ${subtypeOf(line)}`.trim();
}
