/** Whether a text tells of a command that a person typed: most ask no model. */
export function isOfCommand(text: string): boolean {
  return /^\s*<(command-(name|message|args)|bash-input)>/.test(text);
}

/** Whether Claude Code says in an answer's place that a session was taken up again of which nobody answered what stands last. */
export function isResumption(text: string): boolean {
  return text === "No response requested.";
}
