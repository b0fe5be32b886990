/** What may stand before a name; a text with its quotes, which may be cut off; what tells that it is a name. */
const TEXT = /([{,]\s*)?("(?:[^"\\]|\\.)*(?:"|\\?$))\s*(:?)/gs;

/** The texts that are whole in the beginning of a JSON text, each by the name before it; empty where there is none. */
export function textsSoFar(beginning: string): readonly (readonly [string, string])[] {
  const texts: [string, string][] = [];
  let name = "";
  for (const match of beginning.matchAll(TEXT)) {
    const [all, start, quoted = "", colon] = match;
    const text = unquoted(quoted);
    const isLast = match.index + all.length === beginning.length;
    const mayBeName = start !== undefined && isLast && colon === "";
    if (text === undefined || mayBeName) continue;
    if (colon === ":") name = text;
    else texts.push([name, text]);
  }
  return texts;
}

/** Absent for what is no JSON. */
function unquoted(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}
