import { printableJson, renderers } from "@thoughtflow/render";
import { canonicalChunks, compactChunks } from "@thoughtflow/schema";
import type { Command, CommandArguments } from "../command.ts";
import { badArguments } from "../command-error.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { FORMAT_OPTION } from "../format-option.ts";
import { loadSession, loadWholeSession, SESSION_OPERAND } from "../load-session.ts";
import { RUN_OPTION, requireRun } from "../run-option.ts";
import { terminalRendering } from "../terminal-rendering.ts";

const VIEWS = { tree: renderers.tree, thread: renderers.thread, model: renderers.model };

function tokensOf(args: CommandArguments): { readonly tokens?: number } {
  const text = args.text("tokens");
  if (text === undefined) return {};
  const tokens = Number(text);
  if (!Number.isInteger(tokens) || tokens < 100) {
    throw badArguments(`--tokens is "${text}", but must be a whole number of at least 100.`);
  }
  return { tokens };
}

export const show: Command = {
  operands: SESSION_OPERAND,
  count: { min: 0, max: 1 },
  options: {
    view: {
      value: "VIEW",
      choices: Object.keys(VIEWS),
      summary: "its steps (default), what was said, or a short text for a model to read",
    },
    tokens: { value: "COUNT", summary: "with --view model: how long it may be; default 2000" },
    run: RUN_OPTION,
    format: FORMAT_OPTION,
    dir: DIR_OPTION,
  },
  async run(args, io) {
    const [word = "latest"] = args.positionals;
    const format = args.text("format") ?? "pretty";
    const load = format === "pretty" ? loadWholeSession : loadSession;
    const session = await load(word, flowDirectory(args, io), io);
    requireRun(session, args.text("run"));
    if (format === "pretty") {
      const renderer = VIEWS[(args.text("view") ?? "tree") as keyof typeof VIEWS];
      io.out(renderer.render(session, { ...terminalRendering(args, io), ...tokensOf(args) }));
    } else if (format === "json") {
      for (const chunk of canonicalChunks(session)) io.out(printableJson(chunk));
    } else {
      for (const chunk of compactChunks(session)) io.out(printableJson(chunk));
      io.out("\n");
    }
    return ExitCode.ok;
  },
};
