import { endOfText } from "./json-documents.ts";
import { MalformedRequestError } from "./malformed-request-error.ts";

/** `{"intValue":1},` has 15, and little that OTLP says is shorter. */
const CHARACTERS_EACH = 10;
/** So many lists and objects are no burden, however short the text is. */
const ALWAYS = 100_000;

/** OTLP has some hundred names of fields: what attributes are called are values. */
const MOST_NAMES = 10_000;

/**
 * Looks at JSON before it is parsed: lists and objects with next to nothing in them take ten times the time of spans of that length, and
 * 50 times their length in memory, before anything can be counted; fields that are each called something else take a hundred times.
 *
 * @throws MalformedRequestError for a text with more of either than OTLP can need
 */
export function checkDensity(text: string): void {
  const most = Math.max(ALWAYS, Math.floor(text.length / CHARACTERS_EACH));
  if (hasMore(text, most) && bracketsIn(text) > most) refuse(text, `${most} lists and objects`);
  if (hasMoreNames(text)) refuse(text, `${MOST_NAMES} names of fields`);
}

function refuse(text: string, most: string): never {
  throw new MalformedRequestError(
    `no OTLP: ${text.length} characters of JSON with more than ${most}`,
  );
}

const QUOTE = 0x22;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/** Counts those inside texts, too: so it is quick where texts are long. */
function hasMore(text: string, most: number): boolean {
  let left = most;
  for (const bracket of ["{", "["])
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1))
      if (--left < 0) return true;
  return false;
}

function bracketsIn(text: string): number {
  let brackets = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === OPEN_BRACE || unit === OPEN_BRACKET) brackets += 1;
    else if (unit === QUOTE) at = endOfText(text, at);
  }
  return brackets;
}

function hasMoreNames(text: string): boolean {
  const names = new Set<string>();
  for (let start = text.indexOf('"'); start !== -1; ) {
    const end = endOfText(text, start);
    if (isColonNext(text, end)) names.add(text.slice(start + 1, end));
    if (names.size > MOST_NAMES) return true;
    start = text.indexOf('"', end + 1);
  }
  return false;
}

const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

function isColonNext(text: string, end: number): boolean {
  let at = end + 1;
  while (SPACES.has(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === COLON;
}
