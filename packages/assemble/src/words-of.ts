import { type GenAiPart, isTextPart } from "@thoughtflow/semconv";

/** The words among parts, each part's on lines of its own; empty when there are none. */
export function wordsOf(parts: readonly GenAiPart[]): string {
  return parts
    .filter(isTextPart)
    .map((part) => part.content)
    .join("\n");
}
