import { join } from "node:path";
import { type FileSystem, realFileSystem } from "./file-system.ts";
import type { JournalReader } from "./growing-journal.ts";
import { JOURNAL_FOLDER, segmentsIn } from "./journal-folder.ts";
import { createSegmentReader } from "./segment-reader.ts";
import { readSessionList } from "./session-list.ts";

/** Which journals are read, and how much of them is held. */
export interface JournalReaderOptions {
  /** Which writers are read. Default: all. */
  readonly filter?: (writer: string) => boolean;
  /** Whether texts stay on disk, as `StoredText`, and are read when they are looked at. Default false. */
  readonly textsStay?: boolean;
  readonly fs?: FileSystem;
}

/** Reads the journals of a flow directory, of all writers or some. */
export function createJournalReader(
  dir: string,
  options: JournalReaderOptions = {},
): JournalReader {
  const { filter = () => true, textsStay = false, fs = realFileSystem } = options;
  const folder = join(dir, JOURNAL_FOLDER);
  return createSegmentReader({
    list: () => segmentsIn(dir, fs).filter(({ writer }) => filter(writer)),
    sessionsOf: (writer, bytes) => readSessionList(folder, writer, bytes, fs),
    textsStay,
    fs,
  });
}
