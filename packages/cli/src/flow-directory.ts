import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { CommandArguments, CommandOption } from "./command.ts";
import { badArguments } from "./command-error.ts";
import type { CommandIo } from "./command-io.ts";

/** `--dir`, for every command that looks into a flow directory. */
export const DIR_OPTION: CommandOption = {
  value: "DIR",
  summary: "the flow directory; default THOUGHTFLOW_DIR, else ./thoughtflow",
};

/** The absolute path of the flow directory that is meant, which may not be there yet; an error where a file is there. */
export function flowDirectory(args: CommandArguments, io: CommandIo): string {
  const path = namedFlowDirectory(args, io);
  const isFile = statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  if (isFile) throw badArguments(`The flow directory ${path} is a file.`);
  return path;
}

/** The same, whatever is there: for commands that tell of it themselves, or go on without. */
export function namedFlowDirectory(args: CommandArguments, io: CommandIo): string {
  return resolve(io.cwd, args.text("dir") || io.env["THOUGHTFLOW_DIR"] || "thoughtflow");
}
