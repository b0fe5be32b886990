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

/** Whether a text tells of a command that a person typed: most ask no model. */
export function isOfCommand(text: string): boolean {
  return /^\s*<(command-(name|message|args)|bash-input)>/.test(text);
}

/** Whether Claude Code says in an answer's place that a session was taken up again of which nobody answered what stands last. */
export function isResumption(text: string): boolean {
  return text === "No response requested.";
}
