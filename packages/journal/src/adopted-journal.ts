import type { FileSystem } from "./file-system.ts";
import { createFlowDirectory, type FlowDirectory } from "./flow-directory.ts";
import type { JournalReader } from "./growing-journal.ts";
import { JOURNAL_FOLDER } from "./journal-folder.ts";
import { createJournalReader } from "./journal-reader.ts";
import { takeLease } from "./lease.ts";
import { isStillOrphaned, type OrphanedJournal } from "./orphaned-journals.ts";
import { type QuarantinedBytes, quarantineDamage } from "./quarantine.ts";
import { writeSessionList } from "./session-list.ts";

/** An orphaned journal in the care of this process; nobody else takes it up meanwhile. */
export interface AdoptedJournal extends OrphanedJournal {
  /** Its records alone; it is read, and what is damaged copied, when one of the two is asked for. */
  readonly reader: JournalReader;
  /** What was kept of its damage. */
  readonly quarantined: readonly QuarantinedBytes[];
  /** All of it is in documents: nobody has to look at it again. `sessions`: what it holds, where that is known. */
  settle(sessions?: readonly string[]): void;
  /** Leaves it to somebody else, when it is not settled. */
  release(): void;
}

/** What an orphaned journal holds. */
export type ReadOrphan = Pick<AdoptedJournal, "reader" | "quarantined">;

/** Reads an orphaned journal, of some MiB for some tens of milliseconds, and keeps a copy of what is damaged in it. */
export function readOrphan(
  dir: string,
  { writer, paths }: OrphanedJournal,
  fs: FileSystem,
): ReadOrphan {
  const directory = createFlowDirectory(dir, fs);
  const quarantined = paths.flatMap((path) => quarantineDamage(directory, path, fs));
  const reader = createJournalReader(dir, {
    filter: (one) => one === writer,
    textsStay: true,
    fs,
  });
  reader.refreshSync();
  return { reader, quarantined };
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
    if (!isStillOrphaned(dir, orphan, fs)) {
      lease.release();
      return undefined;
    }
    let read: ReadOrphan | undefined;
    const reading = (): ReadOrphan => {
      read ??= readOrphan(dir, orphan, fs);
      return read;
    };
    return {
      ...orphan,
      get reader() {
        return reading().reader;
      },
      get quarantined() {
        return reading().quarantined;
      },
      settle(sessions) {
        if (!lease.renew()) return;
        const all = sessions ?? reading().reader.sessionIds();
        writeSessionList(folder, writer, { bytes, sessions: all }, fs);
      },
      release: lease.release,
    };
  } catch (error) {
    lease.release();
    throw error;
  }
}
