import { stat } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { CommandError } from "../command-error.ts";
import type { CommandIo } from "../command-io.ts";
import { shownPath } from "../shown-path.ts";
import { unpackedName } from "./file-bytes.ts";
import type { ImportFormat } from "./import-format.ts";
import type { ImportProgress } from "./import-progress.ts";
import { filesBelow, isDirectory, type SourceFile, sourceFile, sourceText } from "./source-file.ts";

/** What formats are in that don't say it. */
export const isJson = (name: string): boolean => /\.jsonl?$/.test(name);

/** What a word on the command line means: stdin, a file with those that belong to it, or all files below a directory. */
export async function filesOf(
  word: string,
  { takes = isJson, besides }: Pick<ImportFormat, "takes" | "besides">,
  io: CommandIo,
  progress?: ImportProgress,
): Promise<readonly SourceFile[]> {
  if (word === "-") return [sourceText(await io.readStdin(), "stdin")];
  const path = resolve(io.cwd, word);
  const shown = shownPath(path, io.cwd);
  try {
    const whole = await isDirectory(path);
    const paths = whole
      ? await filesBelow(path, takes)
      : [path, ...((await besides?.(path)) ?? [])];
    if (paths.length === 0) throw new CommandError(`${shown} holds no file of this format.`);
    const root = whole ? path : dirname(path);
    if (progress !== undefined) for (const one of paths) progress.expect((await stat(one)).size);
    return paths.map((one) => sourceFile(one, relative(root, one), progress?.read));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${shown} can't be read: ${(error as Error).message}`);
  }
}

/** The same of several words, which are files and directories; each file once. */
export async function filesOfWords(
  words: readonly string[],
  format: Pick<ImportFormat, "takes" | "besides">,
  io: CommandIo,
  progress?: ImportProgress,
): Promise<readonly SourceFile[]> {
  const [only = "", ...others] = words;
  if (others.length === 0) return filesOf(only, format, io, progress);
  const files = new Map<string, SourceFile>();
  for (const word of words) {
    for (const file of await filesOf(word, format, io, progress)) {
      const path = file.path ?? file.name;
      // Files of one name in several directories are told apart.
      files.set(path, { ...file, name: unpackedName(relative(io.cwd, path)) });
    }
  }
  return [...files.values()];
}
