import { plainText } from "@thoughtflow/render";
import { type Problem, pathText } from "@thoughtflow/schema";

/** Shown of one file; the rest is counted. */
const MOST = 50;

/** Problems for the terminal: `file:line:column: path message; expected …`, one a line. */
export function problemLines(file: string, problems: readonly Problem[]): readonly string[] {
  const lines = problems.slice(0, MOST).map(({ line, column, path, message, expected }) => {
    const position = line === undefined ? "" : `:${line}:${column}`;
    const subject = path.length === 0 ? "" : `${pathText(path)} `;
    const wanted = expected === undefined ? "" : `; expected ${expected}`;
    return plainText(`${file}${position}: ${subject}${message}${wanted}`).replaceAll("\n", " ");
  });
  const more = problems.length - lines.length;
  return more > 0 ? [...lines, `${plainText(file)}: ${more} more`] : lines;
}
