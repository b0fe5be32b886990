import { orphanedJournals } from "@thoughtflow/journal";
import type { Examination } from "./finding.ts";

const subject = "killed processes";

/** Journals that nobody has made files of, because their process is gone. */
export const examineKilledProcesses: Examination = async (io, dir) => {
  const orphans = orphanedJournals(dir);
  if (orphans.length === 0) {
    return [{ subject, status: "ok", message: "none has left a session without its files" }];
  }
  const pids = orphans.flatMap(({ pid }) => (pid === undefined ? [] : [String(pid)]));
  const who = pids.length === 0 ? "" : ` (pid ${pids.join(", ")})`;
  const message = `${orphans.length} left sessions that may be missing or behind${who}: the next process that uses the directory writes them, or now: ${io.self} recover`;
  return [{ subject, status: "warning", message }];
};
