/** Finds the texts in a JSON text that is still coming; what was read is not read again. */
export type TextScanner = (
  /** All that there is: what was there before, and more. */
  beginning: string,
) => readonly (readonly [name: string, text: string])[];

/** @returns gives the texts that became whole since it was called last, each with the name before it; empty where there is none */
export function createTextScanner(): TextScanner {
  /** All before it is read. */
  let at = 0;
  /** The quote of the text that is not whole yet. */
  let opened: number | undefined;
  /** The last sign outside of texts. */
  let before = "";
  let name = "";
  /** A text that is a name if a colon comes. */
  let maybeName: string | undefined;

  return (beginning) => {
    const texts: [string, string][] = [];
    while (at < beginning.length) {
      if (opened !== undefined) {
        const quote = beginning.indexOf('"', at);
        at = quote < 0 ? beginning.length : quote + 1;
        if (quote < 0 || isEscaped(beginning, quote)) continue;
        const text = unquoted(beginning.slice(opened, at));
        opened = undefined;
        if (before === "{" || before === ",") maybeName = text;
        else if (text !== undefined) texts.push([name, text]);
        continue;
      }
      const sign = beginning.charAt(at++);
      if (sign === '"') opened = at - 1;
      else if (sign.trim() !== "") {
        if (maybeName !== undefined && sign === ":") name = maybeName;
        else if (maybeName !== undefined) texts.push([name, maybeName]);
        maybeName = undefined;
        before = sign;
      }
    }
    return texts;
  };
}

/** Behind an odd number of backslashes; no run of them stands before two quotes. */
function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text[first - 1] === "\\") first--;
  return (quote - first) % 2 === 1;
}

/** Absent for what is no JSON. */
function unquoted(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}
