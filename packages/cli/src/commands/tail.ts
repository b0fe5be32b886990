import { setTimeout } from "node:timers/promises";
import { type RenderOptions, renderers } from "@thoughtflow/render";
import type { Session, Step } from "@thoughtflow/schema";
import type { Command } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { createLiveSessions } from "../live-sessions.ts";
import { terminalRendering } from "../terminal-rendering.ts";

const LOOK_EVERY_MS = 200;

export const tail: Command = {
  operands: "[session]",
  count: { min: 0, max: 1 },
  options: {
    wait: { summary: "wait for a session that is not there yet" },
    only: { value: "LABELS", summary: "steps of these kinds: thought,tool" },
    dir: DIR_OPTION,
  },
  async run(args, io) {
    const [only] = args.positionals;
    const labels = args.text("only")?.split(",");
    const dir = flowDirectory(args, io);
    const live = createLiveSessions(dir, only);
    if (only !== undefined && !live.has(only)) {
      const missing = `There is no session ${only} in the journals of ${dir}`;
      if (!args.has("wait")) {
        throw new CommandError(
          `${missing}. See: ${io.self} list; to wait for it: ${io.self} tail --wait ${only}`,
        );
      }
      io.say(`${missing} yet: waiting for it.`);
    }
    // Colours would be around what is cut off.
    const rendering = { ...terminalRendering(args, io), color: false };
    const told = new Map<string, Set<string>>();
    for (;;) {
      for (const session of await live.changed()) {
        const before = told.get(session.session_id) ?? new Set();
        if (before.size === 0) io.out(`${session.session_id}\n`);
        told.set(session.session_id, before);
        for (const line of linesOf(withOnly(labels, session), rendering)) {
          if (before.has(line)) continue;
          before.add(line);
          io.out(`  ${line}\n`);
        }
      }
      await setTimeout(LOOK_EVERY_MS);
    }
  },
};

const HEAD_LINES = 3;

/** One for each run and step, without its place in the tree: what comes later would change that. */
function linesOf(session: Session, rendering: RenderOptions): readonly string[] {
  const lines = renderers.tree.render(session, rendering).trimEnd().split("\n").slice(HEAD_LINES);
  return lines.map((line) => line.replace(/^[\u2500-\u257f\s]+/, ""));
}

function withOnly(labels: readonly string[] | undefined, session: Session): Session {
  if (labels === undefined) return session;
  const isWanted = ({ label }: Step) =>
    labels.some((wanted) => label === wanted || label.startsWith(`${wanted}_`));
  const conversations = session.conversations.map((run) => ({
    ...run,
    steps: run.steps.filter(isWanted),
  }));
  return { ...session, conversations };
}
