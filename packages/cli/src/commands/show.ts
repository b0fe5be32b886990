import { renderers } from "@thoughtflow/render";
import { canonicalChunks } from "@thoughtflow/schema";
import type { Command } from "../command.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { FORMAT_OPTION } from "../format-option.ts";
import { jsonText, terminalSafeJson } from "../json-text.ts";
import { loadSession, SESSION_OPERAND } from "../load-session.ts";
import { RUN_OPTION, requireRun } from "../run-option.ts";
import { terminalRendering } from "../terminal-rendering.ts";

export const show: Command = {
  operands: SESSION_OPERAND,
  count: { min: 1, max: 1 },
  options: {
    view: {
      value: "VIEW",
      choices: ["tree", "thread"],
      summary: "its steps (default), or what was said",
    },
    run: RUN_OPTION,
    format: FORMAT_OPTION,
    dir: DIR_OPTION,
  },
  async run(args, io) {
    const [word = "latest"] = args.positionals;
    const session = await loadSession(word, flowDirectory(args, io), io);
    requireRun(session, args.text("run"));
    const format = args.text("format") ?? "pretty";
    if (format === "pretty") {
      const renderer = args.text("view") === "thread" ? renderers.thread : renderers.tree;
      io.out(renderer.render(session, terminalRendering(args, io)));
    } else if (format === "json") {
      for (const chunk of canonicalChunks(session)) io.out(terminalSafeJson(chunk));
    } else {
      io.out(jsonText(session, "raw"));
    }
    return ExitCode.ok;
  },
};
