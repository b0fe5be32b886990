import { fromJson } from "./plain-json.ts";

/**
 * What a JSON text says, to the last digit: whole numbers that JavaScript would round (ids of 64 bits) are the texts of
 * their digits. Throws what `JSON.parse` throws.
 */
export function fromExactJson(text: string): unknown {
  const value: unknown = fromJson(text);
  if (!ANY_LONG.test(text) || !LONG_NUMBER.test(text)) return value;
  return fromJson(text.replace(TOKENS, (token) => (isRounded(token) ? `"${token}"` : token)));
}

/** What most texts don't have, and the search for which costs a third of reading them. */
const ANY_LONG = /\d{16}/;
const LONG_NUMBER = /(?:^|[[:,\s])-?\d{16,}(?:$|[\s,\]}])/;
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/** What JavaScript itself would write is what it read. */
function isRounded(token: string): boolean {
  return /^-?\d{16,}$/.test(token) && String(Number(token)) !== token;
}
