import { join } from "node:path";
import { type FileSystem, readOr, realFileSystem } from "./file-system.ts";
import type { JournalReader } from "./growing-journal.ts";
import { JOURNAL_FOLDER, segmentsIn } from "./journal-folder.ts";
import { createSegmentReader } from "./segment-reader.ts";
import { readSessionList } from "./session-list.ts";

/** Which journals are read, and how much of them is held. */
export interface JournalReaderOptions {
  /** Which writers are read. Default: all. */
  readonly filter?: (writer: string) => boolean;
  /** Leaves out files that were last written before, wall clock, milliseconds since 1970. Default: none is. */
  readonly sinceMs?: number;
  /** Whether texts stay on disk, as `StoredText`, and are read when they are looked at. Default false. */
  readonly textsStay?: boolean;
  /**
   * Of thousands of journals a refresh may leave out the look at what has grown, for a second or so; it doesn't where this
   * has changed since the last look. Default: it never does.
   */
  readonly mustLook?: () => number;
  readonly fs?: FileSystem;
}

/** Reads the journals of a flow directory, of all writers or some. */
export function createJournalReader(
  dir: string,
  options: JournalReaderOptions = {},
): JournalReader {
  const {
    filter = () => true,
    sinceMs,
    textsStay = false,
    mustLook,
    fs = realFileSystem,
  } = options;
  const folder = join(dir, JOURNAL_FOLDER);
  return createSegmentReader({
    list: () =>
      segmentsIn(dir, fs).filter(
        ({ writer, path }) =>
          filter(writer) && (sinceMs === undefined || modifiedMs(path, fs) >= sinceMs),
      ),
    sessionsOf: (writer, bytes) => readSessionList(folder, writer, bytes, fs),
    textsStay,
    mustLook,
    fs,
  });
}

function modifiedMs(path: string, fs: FileSystem): number {
  return readOr(0, () => fs.lstatSync(path).mtimeMs);
}
