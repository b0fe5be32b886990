const OPENING = /^\s*<(local-command-std(?:out|err)|bash-std(?:out|err)|system-reminder)>/;

/**
 * What a text is that Claude Code wrote down as the user's and nobody typed, by the first of its tags: what a command gave that
 * a person ran, or what the model is reminded of. `undefined` where there is more in it.
 */
export function programWords(text: string): string | undefined {
  const [, name] = OPENING.exec(text) ?? [];
  let rest = text;
  for (;;) {
    const [opening, tag] = OPENING.exec(rest) ?? [];
    if (opening === undefined) return rest.trim() === "" ? name : undefined;
    const closing = `</${tag}>`;
    const end = rest.indexOf(closing, opening.length);
    rest = end === -1 ? "" : rest.slice(end + closing.length);
  }
}
