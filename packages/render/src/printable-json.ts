/** Control, invisible and direction-turning characters that JSON leaves as they are. */
const UNSEEN =
  /[\u{7f}-\u{9f}\u{61c}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{2069}\u{feff}]/gu;

/**
 * JSON as a terminal and any editor may show it: the same value, every character that could act on what shows it
 * written as an escape. (In JSON text such characters stand only inside strings.)
 */
export function printableJson(json: string): string {
  return json.replace(
    UNSEEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
