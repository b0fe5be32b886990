import { NotSeparableError } from "@thoughtflow/assemble";
import {
  createJournalReader,
  createPartWriter,
  type FileSystem,
  type Journal,
  type OpenFiles,
  removeOtherParts,
  type WriteDocumentOptions,
  writeDocumentSync,
} from "@thoughtflow/journal";
import type { TombstoneRecord } from "@thoughtflow/schema";
import { filesInStretches } from "./files-in-stretches.ts";
import { cutLongTraces, type RecordsOfPieces, type TraceSource } from "./long-traces.ts";
import { createPlacedFiles } from "./placed-files.ts";
import { leaseOfSession } from "./session-lease.ts";
import type { OutlineOptions, SessionOutline, Stretch } from "./session-outline.ts";
import { sessionStretches } from "./session-stretches.ts";

/** A session whose files are made stretch by stretch. */
export interface LongSessionTask {
  readonly dir: string;
  readonly journal: Journal;
  readonly sessionId: string;
  /** How what this process has recorded is assembled; `undefined` where other journals hold more of the session. */
  readonly own: Pick<ToldStretches, "stretches" | "outline"> | undefined;
  readonly sizes?: OutlineOptions | undefined;
  readonly fs: FileSystem;
  /** How long a file of the document may be. Default `PART_BYTES`. */
  readonly partBytes?: number | undefined;
  readonly onStretch?: ((done: number, all: number) => void) | undefined;
}

/** Longer traces are cut into slices: shorter ones are assembled at once, which takes some 30 MB. */
const CUT_SPANS = 10_000;

/** What is known of a session before it is assembled, and where its spans are read from. */
interface ToldStretches extends TraceSource {
  readonly stretches: readonly Stretch[];
  readonly outline: SessionOutline;
  readonly erasures: readonly TombstoneRecord[];
  keepOpen(): OpenFiles;
  hasGrown(): boolean;
}

/**
 * Writes the files of a session of which never more than a stretch is in memory; false, and nothing written, where that can't be:
 * its stretches hang together by more than is known of them, or another process goes on with it. Throws what the file
 * system says; a `PictureError` where all but a picture is there.
 */
export async function writeLongSession(task: LongSessionTask): Promise<boolean> {
  const told = toldStretches(task);
  if (told === undefined) return false;
  const { journal, sessionId, sizes } = task;
  const lease = await leaseOfSession(journal, sessionId);
  const options = { fs: task.fs, ...(lease !== undefined && { mayReplace: lease.renew }) };
  try {
    if (!inSlices(task, told, sizes?.cut ?? CUT_SPANS, options)) {
      const { stretches, recordsOfTraces } = told;
      inStretches(task, told, stretches, (ids) => recordsOfTraces(ids), options);
    }
    return !told.hasGrown();
  } catch (error) {
    if (error instanceof NotSeparableError) return false;
    throw error;
  } finally {
    lease?.release();
  }
}

/** `undefined` where the session is short, or can't be taken apart. */
function toldStretches(task: LongSessionTask): ToldStretches | undefined {
  const { dir, journal, sessionId, own, sizes, fs } = task;
  const { writer } = journal;
  if (own !== undefined && !othersTold(task))
    return { ...journal, ...own, erasures: [], hasGrown: () => false };
  return sessionStretches(sessionId, { dir, writer, fs, outline: sizes });
}

/** Whether other processes have recorded some of it. */
function othersTold({ dir, journal, sessionId, fs }: LongSessionTask): boolean {
  const others = createJournalReader(dir, {
    filter: (writer) => writer !== journal.writer,
    textsStay: true,
    fs,
  });
  others.refreshSync();
  return others.placesOfSession(sessionId).count > 0;
}

/** Traces of so many spans and more are taken apart, too; false where there are none, or that can't be. */
function inSlices(
  task: LongSessionTask,
  told: ToldStretches,
  spans: number,
  options: WriteDocumentOptions,
): boolean {
  const { outline, erasures } = told;
  if (outline.longTraces(spans).length === 0) return false;
  try {
    const recordsOfPieces = cutLongTraces(outline, told, spans, erasures);
    const stretches = outline.stretches();
    if (stretches === undefined) return false;
    inStretches(task, told, stretches, recordsOfPieces, options);
    return true;
  } catch (error) {
    if (error instanceof NotSeparableError) return false;
    throw error;
  } finally {
    // It may go on, and is told again then.
    outline.uncut();
  }
}

function inStretches(
  task: LongSessionTask,
  { outline, erasures, keepOpen }: ToldStretches,
  stretches: readonly Stretch[],
  recordsOfPieces: RecordsOfPieces,
  options: WriteDocumentOptions,
): void {
  const { dir, journal, sessionId, fs, partBytes, onStretch } = task;
  const { directory } = journal;
  const { write: writePart, paths } = createPartWriter(directory, sessionId, options);
  const made = filesInStretches(
    {
      ...{ directory, sessionId, stretches, outline, erasures, recordsOfPieces, keepOpen },
      ...{ writePart, partBytes, onStretch },
    },
    options,
  );
  const placed = createPlacedFiles(dir, fs);
  for (const file of made) {
    const folder = directory.make(file.folder);
    placed.bytesOf(file, writeDocumentSync(folder, file.name, file.chunks, options));
  }
  removeOtherParts(dir, sessionId, paths, fs);
  placed.end();
}
