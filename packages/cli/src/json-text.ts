import { compactJson } from "@thoughtflow/schema";

/** Control, invisible and direction-turning characters that JSON leaves as they are. */
const UNSEEN =
  /[\u{7f}-\u{9f}\u{61c}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{2069}\u{feff}]/gu;

/**
 * JSON as a terminal may print it: the same value, every character that could act on the terminal written as an
 * escape. (In JSON text such characters stand only inside strings.)
 */
export function terminalSafeJson(json: string): string {
  return json.replace(
    UNSEEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A value in the format that was asked for: `json` over several lines, `raw` on one, for pipes. */
export function jsonText(value: unknown, format: string): string {
  const json = format === "raw" ? compactJson(value) : JSON.stringify(value, null, 2);
  return `${terminalSafeJson(json)}\n`;
}
