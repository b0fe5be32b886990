const SAME = new Set(["thoughtflow", "thoughtflow/", "/thoughtflow", "/thoughtflow/"]);

/** The text of a `.gitignore` with the flow directory in it; `undefined` when it is there already. */
export function withIgnoredDirectory(text: string): string | undefined {
  if (text.split(/\r?\n/).some((line) => SAME.has(line.trim()))) return undefined;
  const before = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return `${before}thoughtflow/\n`;
}
