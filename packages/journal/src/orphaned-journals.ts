import { join } from "node:path";
import { readFileBytes } from "./byte-reader.ts";
import { type FileSystem, namesIn, readOr, realFileSystem } from "./file-system.ts";
import { FRAME_TYPES, scanFrames } from "./frame.ts";
import { JOURNAL_FOLDER, segmentSizeOf, segmentsIn } from "./journal-folder.ts";
import { lifeOf, type ProcessIdentity, parseIdentity } from "./process-identity.ts";
import { isSettled } from "./session-list.ts";

/** A journal whose writer is gone. */
export interface OrphanedJournal {
  readonly writer: string;
  /** Its segments, oldest first. */
  readonly paths: readonly string[];
  readonly bytes: number;
  /** The last sign of life, wall clock, milliseconds since 1970. */
  readonly lastSignMs: number;
  /** Absent when the journal doesn't say whose it is. */
  readonly pid?: number;
}

/** One that may be settled: all of it is in documents. */
export interface EndedJournal extends OrphanedJournal {
  readonly isSettled: boolean;
}

/** Whose journals are looked at; default: those of every writer. */
export interface OrphanedJournalsOptions {
  /** Look at this writer alone. */
  readonly writer?: string;
  readonly fs?: FileSystem;
  /** Wall clock, milliseconds since 1970. */
  readonly nowMs?: () => number;
  /** What tells whether a process still runs. */
  readonly lifeOf?: typeof lifeOf;
}

/** A writer that this process can't see (another container, another machine) shows that it lives every 10 s. */
export const SIGN_OF_LIFE_MS = 10_000;
const GONE_AFTER_MS = 3 * SIGN_OF_LIFE_MS;
/** The first frame names the writer; it is shorter. */
const HEAD_BYTES = 4096;

/** The journals of a flow directory that somebody should adopt: nobody has said that all of it is in documents. */
export function orphanedJournals(
  dir: string,
  options: OrphanedJournalsOptions = {},
): readonly OrphanedJournal[] {
  return endedJournals(dir, options)
    .filter(({ isSettled }) => !isSettled)
    .map(({ isSettled: _, ...orphan }) => orphan);
}

/** A look at each of more journals, settled or not, takes some 30 ms. */
const MANY_JOURNALS = 256;

/** Whether there may be very many journals of others: told by the names of files, of thousands in some 10 ms. */
export function isCrowded(dir: string, fs: FileSystem = realFileSystem): boolean {
  const names = namesIn(join(dir, JOURNAL_FOLDER), fs);
  return names.filter((name) => name.endsWith(".tfj")).length > MANY_JOURNALS;
}

/** The journals of a flow directory whose processes are gone, the one longest silent first. */
export function endedJournals(
  dir: string,
  options: OrphanedJournalsOptions = {},
): readonly EndedJournal[] {
  const { fs = realFileSystem, nowMs = Date.now, lifeOf: life = lifeOf } = options;
  const folder = join(dir, JOURNAL_FOLDER);
  const pathsOf = new Map<string, string[]>();
  for (const { writer, path } of segmentsIn(dir, fs)) {
    if (options.writer !== undefined && options.writer !== writer) continue;
    const paths = pathsOf.get(writer) ?? [];
    pathsOf.set(writer, paths);
    paths.push(path);
  }
  const ended: EndedJournal[] = [];
  for (const [writer, paths] of pathsOf) {
    const bytes = paths.reduce((sum, path) => sum + segmentSizeOf(path, fs), 0);
    if (bytes === 0) continue;
    const lastSignMs = Math.max(...paths.map((path) => changedMs(path, fs)));
    const identity = identityIn(paths[0] ?? "", fs);
    const lives = identity === undefined ? "unknown" : life(identity);
    // A clock that was set back makes the file one of the future.
    const isSilent = Math.abs(nowMs() - lastSignMs) > GONE_AFTER_MS;
    if (lives === "alive" || (lives === "unknown" && !isSilent)) continue;
    ended.push({
      writer,
      paths,
      bytes,
      lastSignMs,
      ...(identity && { pid: identity.pid }),
      isSettled: isSettled(folder, writer, bytes, fs),
    });
  }
  return ended.sort((a, b) => a.lastSignMs - b.lastSignMs);
}

/** Whether nobody has settled an orphan, or put it together with others, since it was found: without a look at all the others. */
export function isStillOrphaned(
  dir: string,
  { writer, paths, bytes }: OrphanedJournal,
  fs: FileSystem,
): boolean {
  const now = paths.reduce((sum, path) => sum + segmentSizeOf(path, fs), 0);
  return now === bytes && !isSettled(join(dir, JOURNAL_FOLDER), writer, bytes, fs);
}

function identityIn(path: string, fs: FileSystem): ProcessIdentity | undefined {
  const bytes = readFileBytes(path, fs, HEAD_BYTES);
  let identity: ProcessIdentity | undefined;
  scanFrames(bytes, ({ type, bodyStart, end }) => {
    if (type === FRAME_TYPES.writer) {
      identity ??= parseIdentity(bytes.toString("utf8", bodyStart, end));
    }
  });
  return identity;
}

function changedMs(path: string, fs: FileSystem): number {
  return readOr(0, () => fs.lstatSync(path).mtimeMs);
}
