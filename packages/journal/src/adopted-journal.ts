import type { FileSystem } from "./file-system.ts";
import type { FlowDirectory } from "./flow-directory.ts";
import type { JournalReader } from "./growing-journal.ts";
import { JOURNAL_FOLDER } from "./journal-folder.ts";
import { createJournalReader } from "./journal-reader.ts";
import { takeLease } from "./lease.ts";
import { type OrphanedJournal, orphanedJournals } from "./orphaned-journals.ts";
import { type QuarantinedBytes, quarantineDamage } from "./quarantine.ts";
import { writeSessionList } from "./session-list.ts";

/** An orphaned journal in the care of this process; nobody else takes it up meanwhile. */
export interface AdoptedJournal extends OrphanedJournal {
  /** Its records alone. */
  readonly reader: JournalReader;
  /** What was kept of its damage. */
  readonly quarantined: readonly QuarantinedBytes[];
  /** All of it is in documents: nobody has to look at it again. */
  settle(): void;
  /** Leaves it to somebody else, when it is not settled. */
  release(): void;
}

/** Takes up an orphaned journal; `undefined` when somebody else is at it, or has been. */
export function adoptJournal(
  directory: FlowDirectory,
  orphan: OrphanedJournal,
  fs: FileSystem,
): AdoptedJournal | undefined {
  const { path: dir } = directory;
  const { writer, bytes } = orphan;
  const folder = directory.make(JOURNAL_FOLDER);
  const lease = takeLease(dir, `${writer}.adopted`, { fs });
  if (lease === undefined) return undefined;
  try {
    const isStillOne = orphanedJournals(dir, { fs, writer }).some((one) => one.bytes === bytes);
    if (!isStillOne) {
      lease.release();
      return undefined;
    }
    const quarantined = orphan.paths.flatMap((path) => quarantineDamage(directory, path, fs));
    const reader = createJournalReader(dir, {
      filter: (one) => one === writer,
      textsStay: true,
      fs,
    });
    reader.refreshSync();
    return {
      ...orphan,
      reader,
      quarantined,
      settle() {
        if (!lease.renew()) return;
        writeSessionList(folder, writer, { bytes, sessions: reader.sessionIds() }, fs);
      },
      release: lease.release,
    };
  } catch (error) {
    lease.release();
    throw error;
  }
}
