import { resolve } from "node:path";
import type { CommandArguments, CommandOption } from "./command.ts";
import { badArguments } from "./command-error.ts";

/** `-o FILE`, the same in every command that makes one text. */
export const OUTPUT_OPTION: CommandOption = {
  value: "FILE",
  short: "o",
  summary: "write to this file instead of stdout; - is stdout",
};

/** The file that `-o` names, absolute; undefined where the text goes to stdout: without the option, or with `-`. */
export function outputFile(args: CommandArguments, cwd: string): string | undefined {
  const file = args.text("output");
  return file === undefined || file === "-" ? undefined : resolve(cwd, file);
}

/**
 * The directory that `--out` names, absolute; undefined without the option.
 *
 * @throws CommandError for `-`: stdout can't hold several files
 */
export function outputDirectory(
  args: CommandArguments,
  command: string,
  cwd: string,
): string | undefined {
  const dir = args.text("out");
  if (dir === "-")
    throw badArguments(
      `${command} --out is "-", which means stdout, but what it writes are several files: name a directory ("./-" for one of that name).`,
    );
  return dir === undefined ? undefined : resolve(cwd, dir);
}
