/** Whether a text tells of a command that a person typed: most ask no model. */
export function isOfCommand(text: string): boolean {
  return /^\s*<(command-(name|message|args)|bash-input)>/.test(text);
}

/** Whether it is what Claude Code writes in an answer's place where a session is taken up again of which nobody answered what stands last. */
export function isLeftUnanswered(text: string): boolean {
  return text === "No response requested.";
}

/** Whether words of the program, by the first of their tags, are what a command gave that it did itself: no model was asked for it. */
export function isGivenByCommand(tag: string): boolean {
  return /^(local-command|bash)-std(out|err)$/.test(tag);
}
