/** Shorter ones stand in too many words to say where a pattern could hold. */
const SHORTEST = 3;

/** An escape, a class, a count of repetitions, or a character. */
const TOKEN = /\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|./gsu;
/** Escapes after which letters and digits may mean something else: `\x41`, `\pL`, `\Q…\E`. */
const FAR_REACHING = /^\\[^\WdDwWsSbBAzntrfav]/;

/**
 * Texts of ASCII letters and digits, in small letters, of which one at least stands in whatever the pattern matches:
 * the longest of each of its alternatives. Undefined where that can't be said.
 *
 * @param pattern in RE2's syntax
 */
export function patternLiterals(pattern: string): readonly string[] | undefined {
  const literals: string[] = [];
  let [depth, run, longest] = [0, "", ""];
  const endRun = (): void => {
    if (run.length > longest.length) longest = run;
    run = "";
  };
  for (const [token] of pattern.matchAll(TOKEN)) {
    if (FAR_REACHING.test(token)) return undefined;
    if (depth === 0 && /^[a-z\d]$/i.test(token)) {
      run += token;
      continue;
    }
    // What may be there no time is no part of it.
    if (/^[*?{]/.test(token)) run = run.slice(0, -1);
    endRun();
    if (token === "(") depth += 1;
    else if (token === ")") depth -= 1;
    else if (token === "|" && depth === 0) {
      literals.push(longest);
      longest = "";
    }
  }
  endRun();
  literals.push(longest);
  if (literals.some(({ length }) => length < SHORTEST)) return undefined;
  return [...new Set(literals.map((literal) => literal.toLowerCase()))];
}
