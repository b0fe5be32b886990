import { endOfText } from "./json-documents.ts";
import { MalformedRequestError } from "./malformed-request-error.ts";

/** `{"intValue":1},` has 15, and little that OTLP says is shorter. */
const CHARACTERS_EACH = 10;
/** So many lists and objects are no burden, however short the text is. */
const ALWAYS = 100_000;

/**
 * Looks at JSON before it is parsed: lists and objects with next to nothing in them take ten times the time of spans of that length, and
 * 50 times their length in memory, before anything can be counted.
 *
 * @throws MalformedRequestError for a text with more of them than OTLP can need
 */
export function checkDensity(text: string): void {
  const most = Math.max(ALWAYS, Math.floor(text.length / CHARACTERS_EACH));
  if (!hasMore(text, most) || bracketsIn(text) <= most) return;
  throw new MalformedRequestError(
    `no OTLP: ${text.length} characters of JSON with more than ${most} lists and objects`,
  );
}

const QUOTE = 0x22;
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
