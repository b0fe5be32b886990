/** Whether a text tells of a command that a person typed: most ask no model. */
export function isOfCommand(text: string): boolean {
  return /^\s*<(command-(name|message|args)|bash-input)>/.test(text);
}

/** Whether it is what Claude Code writes in an answer's place where a session is taken up again of which nobody answered what stands last. */
export function isLeftUnanswered(text: string): boolean {
  return text === "No response requested.";
}
