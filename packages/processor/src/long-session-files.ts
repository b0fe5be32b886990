import { NotSeparableError } from "@thoughtflow/assemble";
import {
  createJournalReader,
  createPartWriter,
  type FileSystem,
  type Journal,
  removeOtherParts,
  type WriteDocumentOptions,
  writeDocumentSync,
} from "@thoughtflow/journal";
import { filesInStretches } from "./files-in-stretches.ts";
import { cutLongTraces, type RecordsOfPieces } from "./long-traces.ts";
import { createPlacedFiles } from "./placed-files.ts";
import { leaseOfSession } from "./session-lease.ts";
import type { SessionOutline, Stretch } from "./session-outline.ts";

/** A session whose files are made stretch by stretch. */
export interface LongSessionTask {
  readonly dir: string;
  readonly journal: Journal;
  readonly sessionId: string;
  readonly stretches: readonly Stretch[];
  readonly outline: SessionOutline;
  /** Default: the traces, whole. */
  readonly recordsOfPieces?: RecordsOfPieces | undefined;
  readonly fs: FileSystem;
  /** How long a file of the document may be. Default `PART_BYTES`. */
  readonly partBytes?: number | undefined;
  readonly onStretch?: ((done: number, all: number) => void) | undefined;
}

/**
 * Writes the files of a session of which never more than a stretch is in memory; false, and nothing written, where that can't be:
 * other processes have recorded some of it, or its stretches hang together by more than is known of them. Throws what the file
 * system says; a `PictureError` where all but a picture is there.
 */
export async function writeLongSession(task: LongSessionTask): Promise<boolean> {
  const { dir, journal, sessionId, fs } = task;
  const others = createJournalReader(dir, {
    filter: (writer) => writer !== journal.writer,
    textsStay: true,
    fs,
  });
  others.refreshSync();
  if (others.placesOfSession(sessionId).count > 0) return false;
  const lease = await leaseOfSession(journal, sessionId);
  try {
    writeInStretches(task, { fs, ...(lease !== undefined && { mayReplace: lease.renew }) });
    return true;
  } catch (error) {
    if (error instanceof NotSeparableError) return false;
    throw error;
  } finally {
    lease?.release();
  }
}

/** Longer traces are cut into slices: shorter ones are assembled at once, which takes some 30 MB. */
const CUT_SPANS = 10_000;

/** The same with traces of `cut` spans and more taken apart, too; false where there are none, or that can't be. */
export async function writeCutSession(
  task: LongSessionTask,
  cut: number = CUT_SPANS,
): Promise<boolean> {
  const { outline, journal } = task;
  if (outline.longTraces(cut).length === 0) return false;
  try {
    const recordsOfPieces = cutLongTraces(outline, journal, cut);
    const stretches = outline.stretches();
    return (
      stretches !== undefined && (await writeLongSession({ ...task, stretches, recordsOfPieces }))
    );
  } finally {
    // It may go on, and is told again then.
    outline.uncut();
  }
}

function writeInStretches(
  { dir, journal, sessionId, fs, ...task }: LongSessionTask,
  options: WriteDocumentOptions,
): void {
  const { directory, recordsOfTraces, keepOpen } = journal;
  const { write: writePart, paths } = createPartWriter(directory, sessionId, options);
  const recordsOfPieces: RecordsOfPieces = task.recordsOfPieces ?? ((ids) => recordsOfTraces(ids));
  const whole = { ...task, directory, sessionId, recordsOfPieces, keepOpen, writePart };
  const placed = createPlacedFiles(dir, fs);
  for (const file of filesInStretches(whole, options)) {
    const folder = directory.make(file.folder);
    placed.bytesOf(file, writeDocumentSync(folder, file.name, file.chunks, options));
  }
  removeOtherParts(dir, sessionId, paths, fs);
  placed.end();
}
