const replacement = "\u{FFFD}";
const harmless = /^[\n\t -~]*$/;
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

/** Most texts: words of printable ASCII, one space between. */
const plain = /^[!-~]+(?: [!-~]+)*$/;

/** One line of clean text, white space collapsed, without characters that are invisible or turn the reading direction. */
export function oneLine(text: string): string {
  if (plain.test(text)) return text;
  return cleanText(text.trim()).replace(invisible, "").replace(/\s+/gu, " ").trim();
}

/**
 * The beginning of a text as one line of at most `limit` characters (code points), cut at a word where one ends
 * in the last third, with `…` for what is left out. Looks at a bounded part of the text, however long it is.
 */
export function snippet(text: string, limit: number): string {
  const line = oneLine(text.slice(0, limit * 4 + 64));
  const whole = text.length <= limit * 4 + 64;
  if (whole && line.length <= limit) return line;
  const characters = Array.from(line);
  if (whole && characters.length <= limit) return line;
  const kept = characters.slice(0, limit - 1).join("");
  const word = kept.lastIndexOf(" ");
  return `${(word > kept.length * 0.66 ? kept.slice(0, word) : kept).trimEnd()}…`;
}
