import { resolve } from "node:path";
import type { CommandArguments, CommandOption } from "./command.ts";
import type { CommandIo } from "./command-io.ts";

/** `--dir`, for every command that looks into a flow directory. */
export const DIR_OPTION: CommandOption = {
  value: "DIR",
  summary: "the flow directory; default THOUGHTFLOW_DIR, else ./thoughtflow",
};

/** The absolute path of the flow directory that is meant. */
export function flowDirectory(args: CommandArguments, io: CommandIo): string {
  return resolve(io.cwd, args.text("dir") || io.env["THOUGHTFLOW_DIR"] || "thoughtflow");
}
