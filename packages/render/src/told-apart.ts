/**
 * Texts by what tells each from the others: from the word on in which it begins to differ, or the character, behind `…`, where that is not
 * among its first `read` characters. None for one that stands there twice, and for an empty one.
 */
export function toldApart(
  texts: readonly string[],
  read: number,
  from: "word" | "character" = "word",
): ReadonlyMap<string, string> {
  const twice = new Set<string>();
  const once = new Set<string>();
  for (const text of texts) (once.has(text) ? twice : once).add(text);
  const sorted = [...once].filter((text) => text !== "").sort();
  const told = new Map<string, string>();
  for (const [at, text] of sorted.entries()) {
    if (twice.has(text)) continue;
    const shared = Math.max(
      sharedLength(text, sorted[at - 1] ?? ""),
      sharedLength(text, sorted[at + 1] ?? ""),
    );
    // The whole of one may be how another begins.
    const isRead = shared < read || shared === text.length;
    const start = isRead ? 0 : from === "word" ? placeAt(text, shared) : characterAt(text, shared);
    told.set(text, start === 0 ? text : `…${text.slice(start)}`);
  }
  return told;
}

function sharedLength(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  let at = 0;
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
}

/** A rest so short says little without the words before it. */
const shortRest = 22;

/** Where the word begins that has this character; where little follows, some words before it. */
function placeAt(text: string, at: number): number {
  const start = wordAt(text, at);
  const least = Math.max(0, Math.min(start, text.length - shortRest));
  if (least === 0) return 0;
  const space = text.indexOf(" ", least - 1);
  return space === -1 || space >= start ? start : space + 1;
}

/** A word longer than that is cut. */
const longestWord = 16;

/** Where the word begins that has this character. */
function wordAt(text: string, at: number): number {
  const start = Math.min(at, text.lastIndexOf(" ", at) + 1);
  return at - start > longestWord ? characterAt(text, at) : start;
}

/** Not between the halves of a character. */
function characterAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
