import { plainText } from "@thoughtflow/render";
import type { CommandIo } from "./command-io.ts";

/** An id as a line of its own: a terminal must not obey what stands in it, a program is given all of it. */
export function idLine(id: string, { terminal }: Pick<CommandIo, "terminal">): string {
  return `${terminal ? plainText(id).replaceAll("\n", " ") : id}\n`;
}
