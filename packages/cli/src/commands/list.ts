import { statSync } from "node:fs";
import { plainText } from "@thoughtflow/render";
import { isKnownMoment } from "@thoughtflow/schema/steps";
import type { Command } from "../command.ts";
import { leftByKilledProcesses } from "../doctor/killed-processes.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { FORMAT_OPTION } from "../format-option.ts";
import { jsonText } from "../json-text.ts";
import { type SessionSummary, summarizeSessions } from "../session-summary.ts";
import { textTable } from "../text-table.ts";

/** As many characters as a title has at most that is made of what was said. */
const LONGEST_TITLE = 80;
/** The rest of a longer one is not looked at. */
const READ = 1_000;

export const list: Command = {
  operands: "",
  count: { min: 0, max: 0 },
  options: { format: FORMAT_OPTION, dir: DIR_OPTION },
  async run(args, io) {
    const dir = flowDirectory(args, io);
    const sessions = await summarizeSessions(dir);
    const format = args.text("format") ?? "pretty";
    if (format !== "pretty") {
      io.out(jsonText(sessions.map(toEntry), format));
    } else if (sessions.length === 0) {
      io.say(`There is no session in ${dir} yet. Try: thoughtflow demo`);
    } else {
      io.out(sessionTable(sessions));
    }
    // Whoever wrote a document had read the journals until then.
    const left = leftByKilledProcesses(io, dir, latestWrite(sessions));
    if (left !== undefined) io.say(`Of the processes that were killed, ${left}`);
    return ExitCode.ok;
  },
};

/** When the latest document was written, milliseconds since the epoch; 0 where there is none. */
function latestWrite(sessions: readonly SessionSummary[]): number {
  return Math.max(0, ...sessions.map(({ file }) => statSync(file.path).mtimeMs));
}

function sessionTable(sessions: readonly SessionSummary[]): string {
  const rows = sessions.map((summary) => {
    const { session_id, status, runs, steps, title } = toEntry(summary);
    const time = timeShown(summary.last);
    return [session_id, status ?? "", time, String(runs), String(steps), shortened(title)].map(
      plainText,
    );
  });
  return textTable(["SESSION", "STATUS", "LAST (UTC)", "RUNS", "STEPS", "TITLE"], rows);
}

/** What a program called a session may be of any length. */
function shortened(title = ""): string {
  const characters = [...title.slice(0, READ).replace(/\s+/g, " ").trim()];
  return characters.length <= LONGEST_TITLE
    ? characters.join("")
    : `${characters
        .slice(0, LONGEST_TITLE - 1)
        .join("")
        .trimEnd()}…`;
}

function timeShown(time: string): string {
  return isKnownMoment(time) ? time.replace("T", " ").replace(/\.\d+Z$/, "") : "–";
}

function toEntry({ file, session }: SessionSummary) {
  const { session_id, title, status, origin, started_at, ended_at, totals, conversations } =
    session;
  const steps = conversations.reduce((sum, run) => sum + run.steps.length, 0);
  return {
    session_id,
    title,
    status,
    origin,
    started_at,
    ended_at,
    runs: totals?.runs ?? conversations.length,
    steps: totals?.steps ?? steps,
    totals,
    path: file.path,
  };
}
