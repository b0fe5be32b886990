import { jsonProblem } from "@thoughtflow/schema/exact-json";
import { MalformedRequestError } from "./malformed-request-error.ts";

/**
 * The JSON documents of a text: one, or several one after the other, each on a line of its own or not. Times that stand
 * there as numbers keep all their digits.
 *
 * @throws MalformedRequestError for a text that is no JSON
 */
export function jsonDocuments(text: string): readonly unknown[] {
  const exact = withWholeNumbers(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  try {
    return [JSON.parse(exact)];
  } catch (error) {
    const texts = documentTexts(exact);
    if (texts.length < 2) throw notJson(error);
    return texts.map(parsed);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(error);
  }
}

function notJson(error: unknown): MalformedRequestError {
  return new MalformedRequestError(jsonProblem(error));
}

/** `JSON.parse` rounds them. Inside a text the name's last quote would have a backslash before it. */
const LONG_NUMBER = /("\w*(?:[uU]nix_?[nN]ano|int_?[vV]alue)"\s*:\s*)(-?\d{16,})(?=[\s,}])/g;

function withWholeNumbers(text: string): string {
  return text.replaceAll(LONG_NUMBER, '$1"$2"');
}

/** What stands between the outermost braces or brackets. */
function documentTexts(text: string): readonly string[] {
  const texts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfText(text, at);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (depth === 0) start = at;
        depth += 1;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        if (depth === 0) texts.push(text.slice(start, at + 1));
        break;
      default:
    }
  }
  // What is torn off at the end is no document, and says so when it is read.
  if (depth > 0) texts.push(text.slice(start));
  return texts;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Where the text ends that begins there, with its last quote. */
export function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === BACKSLASH) at += 1;
    else if (unit === QUOTE) return at;
  }
  return text.length;
}
