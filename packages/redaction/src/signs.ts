import { CURL } from "./curl-passwords.ts";
import {
  BEARER_TOKENS,
  COMMAND_LINES,
  CREDENTIALS,
  LETTERED_KEYS,
  NAMED_VALUES,
  PREFIXED_KEYS,
  PRIVATE_KEYS,
  RARELY_LETTERED_KEYS,
  RARELY_PREFIXED_KEYS,
} from "./secret-families.ts";

/** What rests on a mark, and what rests on letters: each is sought together, in half the time that one after the other would take. */
const ON_MARKS = anyOf([
  PRIVATE_KEYS.trigger,
  PREFIXED_KEYS.trigger,
  RARELY_PREFIXED_KEYS.trigger,
  COMMAND_LINES.trigger,
  NAMED_VALUES.trigger,
]);
const ON_LETTERS = anyOf([
  LETTERED_KEYS.trigger,
  CREDENTIALS.trigger,
  RARELY_LETTERED_KEYS.trigger,
  CURL,
  BEARER_TOKENS.trigger,
]);

/** Whether a text has what begins a secret, of whatever family: most have nothing of it. */
export function hasSign(text: string): boolean {
  return ON_MARKS.test(text) || ON_LETTERS.test(text);
}

function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"));
}
