import type { Redactor } from "@thoughtflow/redaction";
import { addProcessCounts } from "./process-counts.ts";
import { processState } from "./process-state.ts";

/** Of one text, and of one content value as JSON, at most: memory and the engine's strings end somewhere. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
/** In a value that is longer, texts of more are left out. */
const LONG_TEXT = 1024 * 1024;

const dropped = processState("dropped-content.v1", () => ({ texts: 0, characters: 0 }));

addProcessCounts("dropped_content", () => (dropped.texts === 0 ? {} : dropped));

/** The same redactor, which does not look through texts that are too long to be kept. */
export function boundedRedactor(redactor: Redactor): Redactor {
  return {
    value: (value, attribute) =>
      isLonger(value, MOST_CHARACTERS) ? noteOf(value.length) : redactor.value(value, attribute),
    text: (text, attribute) =>
      isLonger(text, MOST_CHARACTERS) ? noteOf(text.length) : redactor.text(text, attribute),
    key: redactor.key,
  };
}

/**
 * Plain data as JSON. Of what is longer than 64 Mi characters the long texts are left out, each with a note of its length
 * in its place, or else all of it; `<writer>.state.json` counts them.
 */
export function boundedJson(value: unknown): string {
  const whole = jsonOf(value);
  if (whole !== undefined && whole.length <= MOST_CHARACTERS) return whole;
  const shortened = jsonOf(value, (_, item) =>
    isLonger(item, LONG_TEXT) ? noteOf(item.length) : item,
  );
  if (shortened !== undefined && shortened.length <= MOST_CHARACTERS) return shortened;
  return JSON.stringify(noteOf(whole?.length));
}

/** `undefined` where it is longer than a string can be. */
function jsonOf(
  value: unknown,
  replace?: (key: string, item: unknown) => unknown,
): string | undefined {
  try {
    return JSON.stringify(value, replace) ?? "null";
  } catch (error) {
    if (error instanceof RangeError && error.message === "Invalid string length") return undefined;
    throw error;
  }
}

function isLonger(item: unknown, characters: number): item is string {
  return typeof item === "string" && item.length > characters;
}

/** What stands in the place of a text that is left out, which is counted. */
export function noteOf(characters: number | undefined): string {
  dropped.texts++;
  dropped.characters += characters ?? 0;
  return `[omitted: ${characters === undefined ? "too many" : characters} characters]`;
}
