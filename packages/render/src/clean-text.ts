import { withoutSequences } from "./terminal-sequences.ts";

const replacement = "\u{FFFD}";
/** Most texts: nothing to replace, nor anything that needs two units. */
const harmless = /^[\n\t -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd]*$/;
const forbidden = /(?![\n\t])\p{Cc}|\p{Cs}|[\u{fffe}\u{ffff}]/gu;
const lineBreak = /\r\n?|[\u{2028}\u{2029}]/gu;
const invisible = /[\u{61c}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{2069}\u{feff}]/gu;

/**
 * Text that every format can hold: line breaks of any kind as `\n`; control characters, lone surrogates and
 * non-characters as U+FFFD. Tabs stay.
 */
export function cleanText(text: string): string {
  if (harmless.test(text)) return text;
  return text.replace(lineBreak, "\n").replace(forbidden, replacement);
}

/** Most lines: words in Latin letters, signs between them, one space between. */
const plain = /^[!-~\xa1-\u024f\u2010-\u2027]+(?: [!-~\xa1-\u024f\u2010-\u2027]+)*$/;

/** White space that is not one space already. */
const uneven = /[^\S ]\s*| \s+/gu;

/** One line of clean text, white space collapsed, without what acts on terminals and characters that are invisible or turn the reading direction. */
export function oneLine(text: string): string {
  if (plain.test(text)) return text;
  return cleanText(withoutSequences(text).trim())
    .replace(invisible, "")
    .replace(uneven, " ")
    .trim();
}

/**
 * The beginning of a text as one line of at most `limit` characters (code points), cut at a word where one ends
 * in the last third, with `…` for what is left out. Looks at a bounded part of the text, however long it is.
 */
export function snippet(text: string, limit: number): string {
  const near = limit * 2;
  const far = limit * 4 + 64;
  let line = oneLine(text.slice(0, near));
  // Mostly white space: further on may be what fills the line.
  if (text.length > near && endOf(line, limit) === line.length) line = oneLine(text.slice(0, far));
  if (text.length <= far && endOf(line, limit) === line.length) return line;
  const kept = line.slice(0, endOf(line, limit - 1));
  const word = kept.lastIndexOf(" ");
  return `${(word > kept.length * 0.66 ? kept.slice(0, word) : kept).replace(TRAILING, "")}…`;
}

/** What stands before no mark of a cut: white space, and such a mark. */
const TRAILING = /[\s…]+$/;

const twoUnits = /[\ud800-\udfff]/;

/** Where so many characters of a clean text end. */
function endOf(line: string, characters: number): number {
  if (line.length <= characters) return line.length;
  if (!twoUnits.test(line)) return characters;
  let at = 0;
  for (let n = 0; n < characters && at < line.length; n++)
    at += (line.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}
