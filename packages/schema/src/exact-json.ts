import { fromJson } from "./plain-json.ts";

/**
 * What a JSON text says, to the last digit: whole numbers that JavaScript would round (ids of 64 bits) are the texts of
 * their digits. Throws what `JSON.parse` throws.
 */
export function fromExactJson(text: string): unknown {
  const value: unknown = fromJson(text);
  if (!hasLongNumber(text) || !LONG_NUMBER.test(text)) return value;
  let isText = false;
  const exact = text.replace(TOKENS, (token) => {
    if (token === '"') isText = !isText;
    return !isText && isRounded(token) ? `"${token}"` : token;
  });
  return fromJson(exact);
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

const LONG_NUMBER = /(?:^|[[:,\s])-?\d{16,}(?:$|[\s,\]}])/;
/** Piece by piece: a pattern of a whole text would keep where each escape in it stands, and there is no room for millions. */
const TOKENS = /\\.|"|[-+.\deE]{16,}/gs;

/** What JavaScript itself would write is what it read. */
function isRounded(token: string): boolean {
  return /^-?\d{16,}$/.test(token) && String(Number(token)) !== token;
}
