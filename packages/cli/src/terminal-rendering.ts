import type { RenderOptions } from "@thoughtflow/render";
import type { CommandArguments } from "./command.ts";
import type { CommandIo } from "./command-io.ts";

/** How a session reads in this terminal: its colours, its width, the run that was asked for. */
export function terminalRendering(args: CommandArguments, io: CommandIo): RenderOptions {
  const run = args.text("run");
  return {
    color: io.terminal && !args.has("no-color") && !io.env["NO_COLOR"],
    ...(io.columns === undefined ? {} : { width: io.columns }),
    ...(run === undefined ? {} : { run }),
  };
}
