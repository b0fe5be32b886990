import { cleanText } from "./clean-text.ts";
import { withoutSequences } from "./terminal-sequences.ts";

const unseen =
  /(?![\n\t])\p{Cc}|[\u{61c}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{2069}\u{feff}\u{e0000}-\u{e007f}]/gu;

/** Most texts: nothing to take out. */
const harmless = /^[\n\t -~\xa0-\u02ff\u2010-\u2027\u2190-\u2bff]*$/;

/**
 * Text of a document as a terminal may print it: no escape sequence, control character or character that is
 * invisible or turns the reading direction is left, so data can neither act on the terminal nor pose as other
 * output. Line breaks and tabs stay.
 */
export function plainText(text: string): string {
  if (harmless.test(text)) return text;
  return cleanText(withoutSequences(text).replace(/\r\n?/g, "\n").replace(unseen, ""));
}

const wide =
  /[\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const combining = /\p{M}|\p{Cf}/u;

/** One column each. */
const narrow = /^[\0-\u02ff]*$/;

/** Columns that a line of plain text takes in a terminal: wide characters two, combining ones none. */
export function columnsOf(line: string): number {
  if (narrow.test(line)) return line.length;
  let columns = 0;
  for (const character of line) columns += columnsOfCharacter(character);
  return columns;
}

function columnsOfCharacter(character: string): number {
  if (character <= "\u{2ff}") return 1;
  if (combining.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** The line cut to at most `columns`, `…` standing for what is gone. */
export function fitColumns(line: string, columns: number): string {
  if (line.length * 2 <= columns || columnsOf(line) <= columns) return line;
  let kept = "";
  let used = 1;
  for (const character of line) {
    used += columnsOfCharacter(character);
    if (used > columns) break;
    kept += character;
  }
  return columns < 1 ? "" : `${kept.trimEnd()}…`;
}
