import { renderers } from "@thoughtflow/render";
import type { Command } from "../command.ts";
import { CommandError } from "../command-error.ts";
import type { CommandIo } from "../command-io.ts";
import { demoProgram } from "../demo-program.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { loadSession } from "../load-session.ts";
import { replayRecordings } from "../replay-recordings.ts";
import { runInstrumented } from "../run-instrumented.ts";
import { writtenFiles } from "../say-files.ts";
import { changedSessions, type SessionState, sessionStates } from "../session-changes.ts";
import { terminalRendering } from "../terminal-rendering.ts";

export const demo: Command = {
  operands: "",
  count: { min: 0, max: 0 },
  options: { dir: DIR_OPTION },
  async run(args, io) {
    const program = demoProgram(io.cwd);
    const dir = flowDirectory(args, io);
    const before = await sessionStates(dir);
    io.out("An app that knows nothing but openai runs against recorded answers:\n\n");
    const server = await replayRecordings();
    const end = await runInstrumented(program.command, {
      cwd: io.cwd,
      env: {
        ...io.env,
        THOUGHTFLOW_DIR: dir,
        OPENAI_BASE_URL: server.baseUrl,
        OPENAI_API_KEY: "none-is-needed",
      },
      ...(program.input === undefined ? {} : { input: program.input }),
    }).finally(() => server.close());
    if (end.exitCode !== 0) throw new CommandError("The demo's app failed; its output says why.");
    const sessions = changedSessions(before, await sessionStates(dir)).toReversed();
    if (sessions.length === 0) {
      io.say("The app ended well, but no session was written. See: thoughtflow doctor");
      return ExitCode.unverified;
    }
    io.out("\nWhat ThoughtFlow wrote down meanwhile:\n");
    for (const { path } of sessions) {
      const session = await loadSession(path, dir, io);
      io.out(`\n${renderers.tree.render(session, terminalRendering(args, io))}`);
    }
    io.out(closingWords(sessions, args.text("dir"), io));
    return ExitCode.ok;
  },
};

/** Where the files are and what to do with them, in commands that work as they stand. */
function closingWords(
  sessions: readonly SessionState[],
  dir: string | undefined,
  io: CommandIo,
): string {
  const files = sessions.map(({ path }) => `  ${writtenFiles(path, io.cwd)}`);
  const from = dir === undefined ? "" : ` --dir ${dir}`;
  return `
The files (the .svg opens in a browser):
${files.join("\n")}

What to try next:
  ${io.self} show latest --view thread${from}
  ${io.self} convert latest --to mermaid${from}
  ${io.self} run -- node app.js    your own app, unchanged
`;
}
