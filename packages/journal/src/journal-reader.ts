import { join } from "node:path";
import type { FlowRecord } from "@thoughtflow/schema";
import { type FileSystem, realFileSystem } from "./file-system.ts";
import { JOURNAL_FOLDER, segmentsIn } from "./journal-folder.ts";
import { createSegmentReader } from "./segment-reader.ts";
import { readSessionList } from "./session-list.ts";

/**
 * Reads journals as they grow: `refresh` takes in what was appended since the last one, and what was read once is
 * not read again. The journal of a process that ended in order is read when a session of it is asked for, and not
 * before. Unreadable files and damaged parts are passed over; nothing here throws.
 */
export interface JournalReader {
  refresh(): Promise<void>;
  refreshSync(): void;
  /** Every record, writer by writer, in the order in which each was written. */
  records(): FlowRecord[];
  /** The spans of these traces. */
  recordsOfTraces(traceIds: Iterable<string>): FlowRecord[];
  /** The spans of every trace in which a span names the session, and what was decided about the session. */
  recordsOfSession(sessionId: string): FlowRecord[];
  /** Every session that a record names. */
  sessionIds(): string[];
}

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
