import type { Command } from "../command.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION, namedFlowDirectory } from "../flow-directory.ts";
import { runInstrumented } from "../run-instrumented.ts";
import { sayFiles } from "../say-files.ts";
import { changedSessions, modelCalls, sessionStates } from "../session-changes.ts";

export const run: Command = {
  operands: "-- <program> [arguments]",
  count: { min: 1, max: Number.POSITIVE_INFINITY },
  passesOn: true,
  options: { dir: DIR_OPTION },
  async run(args, io) {
    const dir = namedFlowDirectory(args, io);
    const before = await sessionStates(dir);
    const end = await runInstrumented(args.positionals, {
      cwd: io.cwd,
      env: { ...io.env, THOUGHTFLOW_DIR: dir },
    });
    const after = await sessionStates(dir);
    sayFiles(changedSessions(before, after), io);
    if (end.signal !== undefined) return io.endBySignal(end.signal);
    if (end.exitCode === 0 && modelCalls(after) <= modelCalls(before)) {
      io.say("The program ended well, but ThoughtFlow saw no model call. See: thoughtflow doctor");
      return ExitCode.unverified;
    }
    return end.exitCode;
  },
};
