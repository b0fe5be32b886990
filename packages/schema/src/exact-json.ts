import { cutBelow } from "./deep-json.ts";
import { fromJson } from "./plain-json.ts";

/** Content that is masked is kept to far fewer. */
const DEEPEST = 500;

/**
 * What a JSON text of others says, to the last digit: whole numbers that JavaScript would round (ids of 64 bits) are the
 * texts of their digits. What nests deeper than so many levels, 500 by default, is cut off there: what walks over more, the
 * engine's own serialiser among it, ends at its call stack, and one value would cost the whole session. Throws what
 * `JSON.parse` throws.
 */
export function fromExactJson(text: string, deepest: number = DEEPEST): unknown {
  const value = withLongNumbers(text);
  return mayNest(text, deepest) ? cutBelow(deepest, value) : value;
}

/**
 * What a thrown error says of a text that is no JSON, without a word of the text: the engine quotes some ten characters where it meets
 * what it didn't expect, and half a secret is nothing that a mask knows.
 */
export function jsonProblem(error: unknown): string {
  const { message } = error as Error;
  return /^[^"]* (?:JSON input|(?:in|after) JSON at position \d+(?: \(line \d+ column \d+\))?)$/.test(
    message,
  )
    ? `no JSON: ${message}`
    : "no JSON";
}

/** Each level has a beginning: a text with fewer of them, as most are, need not be walked over. */
function mayNest(text: string, deepest: number): boolean {
  let levels = 0;
  for (const beginning of ["[", "{"])
    for (let at = text.indexOf(beginning); at !== -1; at = text.indexOf(beginning, at + 1))
      if (++levels > deepest) return true;
  return false;
}

function withLongNumbers(text: string): unknown {
  const value: unknown = fromJson(text);
  if (!hasLongNumber(text)) return value;
  const exact = withQuotedNumbers(text);
  return exact === text ? value : fromJson(exact);
}

/** So many digits a number has at least that is rounded. */
const LONG = 16;

/** What most texts don't have: of so many digits in a row one stands at a place that is looked at. */
function hasLongNumber(text: string): boolean {
  for (let at = LONG - 1; at < text.length; at += LONG) {
    if (!isDigit(text, at)) continue;
    let from = at;
    let to = at + 1;
    while (isDigit(text, from - 1)) from--;
    while (to - from < LONG && isDigit(text, to)) to++;
    if (to - from >= LONG) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/**
 * A JSON text with such numbers as texts. Texts in it may be millions of characters long, which an expression that goes back
 * has no room for.
 */
function withQuotedNumbers(text: string): string {
  let quoted = "";
  let told = 0;
  for (let at = 0; at < text.length; ) {
    if (text[at] === '"') {
      at = endOfText(text, at);
      continue;
    }
    const from = at;
    while (isOfNumber(text, at)) at++;
    const number = text.slice(from, at);
    if (isRounded(number)) {
      quoted += `${text.slice(told, from)}"${number}"`;
      told = at;
    }
    if (at === from) at++;
  }
  return quoted + text.slice(told);
}

/** Behind its closing quote. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === "\\") before--;
    if ((end - before) % 2 === 0) return end + 1;
  }
}

/** Of a text that was read, outside of its texts: `e` stands in words, too, which no digits are in. */
function isOfNumber(text: string, at: number): boolean {
  return isDigit(text, at) || /[-+.eE]/.test(text.charAt(at));
}

/** What JavaScript itself would write is what it read. */
function isRounded(number: string): boolean {
  return number.length >= LONG && !/[.eE]/.test(number) && String(Number(number)) !== number;
}
