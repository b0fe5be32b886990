import { orphanedJournals } from "@thoughtflow/journal";
import type { CommandIo } from "../command-io.ts";
import type { Examination } from "./finding.ts";

const subject = "killed processes";
/** The latest, where there are thousands. */
const MOST_NAMED = 5;

/** Journals that nobody has made files of, because their process is gone. */
export const examineKilledProcesses: Examination = async (io, dir) => {
  const message = leftByKilledProcesses(io, dir);
  if (message !== undefined) return [{ subject, status: "warning", message }];
  return [{ subject, status: "ok", message: "none has left a session without its files" }];
};

/**
 * How many there are and what to do; `undefined` when there are none.
 *
 * @param sinceMs leaves out those that gave no sign after this time, milliseconds since the epoch; default: none
 */
export function leftByKilledProcesses(
  { self }: CommandIo,
  dir: string,
  sinceMs = 0,
): string | undefined {
  const orphans = orphanedJournals(dir).filter(({ lastSignMs }) => lastSignMs > sinceMs);
  if (orphans.length === 0) return undefined;
  const pids = orphans.flatMap(({ pid }) => (pid === undefined ? [] : [String(pid)]));
  const others = pids.length > MOST_NAMED ? " …" : "";
  const who = pids.length === 0 ? "" : ` (pid ${pids.slice(-MOST_NAMED).join(", ")}${others})`;
  return `${orphans.length} left sessions that may be missing or behind${who}: the next process that uses the directory writes them, or now: ${self} recover`;
}
