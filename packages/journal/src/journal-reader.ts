import { join } from "node:path";
import type { FlowRecord } from "@thoughtflow/schema";
import { createFileReader } from "./byte-reader.ts";
import { type FileSystem, fileSizeOf, namesIn, promised, realFileSystem } from "./file-system.ts";
import { createRecordIndex, type RecordIndex } from "./record-index.ts";
import { JOURNAL_FOLDER, parseSegmentName } from "./segment-file.ts";

/**
 * The journals of a flow directory, of all writers or some. What was read once is not read again: `refresh` takes
 * in what was appended since. Unreadable files and damaged parts are passed over; nothing here throws.
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
  readonly fs?: FileSystem;
}

interface Segment {
  readonly path: string;
  readonly index: RecordIndex;
  /** Behind the last intact frame. */
  scanned: number;
  /** Size when it was last looked at; what follows `scanned` is torn or still being written. */
  size: number;
}

export function createJournalReader(
  dir: string,
  options: JournalReaderOptions = {},
): JournalReader {
  const { filter = () => true, fs = realFileSystem } = options;
  const folder = join(dir, JOURNAL_FOLDER);
  const indexes = new Map<string, RecordIndex>();
  const segments = new Map<string, Segment>();

  function indexOf(writer: string): RecordIndex {
    let index = indexes.get(writer);
    if (index === undefined) {
      index = createRecordIndex(() => createFileReader(fs));
      indexes.set(writer, index);
    }
    return index;
  }

  /** The segments that have grown, oldest first. */
  function grownSegments(): Segment[] {
    const names = namesIn(folder, fs)
      .map((name) => ({ name, ...parseSegmentName(name) }))
      .filter(({ writer }) => writer !== undefined && filter(writer))
      .sort((a, b) => (a.segment ?? 0) - (b.segment ?? 0));
    const grown: Segment[] = [];
    for (const { name, writer = "" } of names) {
      const path = join(folder, name);
      const segment = segments.get(name) ?? { path, index: indexOf(writer), scanned: 0, size: 0 };
      segments.set(name, segment);
      const size = fileSizeOf(path, fs);
      if (size <= segment.size) continue;
      segment.size = size;
      grown.push(segment);
    }
    return grown;
  }

  function take(segment: Segment, bytes: Buffer): void {
    segment.scanned = segment.index.add(segment.path, bytes, segment.scanned).end;
  }

  function gather(find: (index: RecordIndex) => FlowRecord[]): FlowRecord[] {
    return [...indexes.values()].flatMap(find);
  }

  return {
    async refresh() {
      for (const segment of grownSegments()) {
        const { path, scanned, size } = segment;
        const bytes = await readLater(path, scanned, size, fs);
        // Another refresh may have been faster.
        if (segment.scanned === scanned) take(segment, bytes);
      }
    },
    refreshSync() {
      const reader = createFileReader(fs);
      for (const segment of grownSegments()) {
        take(segment, reader.read(segment.path, segment.scanned, segment.size));
      }
      reader.close();
    },
    records: () => gather((index) => index.records()),
    recordsOfTraces(traceIds) {
      const wanted = new Set(traceIds);
      return gather((index) => index.recordsOfTraces(wanted));
    },
    recordsOfSession: (sessionId) => gather((index) => index.recordsOfSession(sessionId)),
    sessionIds: () => [
      ...new Set([...indexes.values()].flatMap((index) => [...index.sessionIds()])),
    ],
  };
}

async function readLater(
  path: string,
  start: number,
  end: number,
  fs: FileSystem,
): Promise<Buffer> {
  try {
    const fd = await promised<number>((done) => fs.open(path, "r", done));
    try {
      const bytes = Buffer.allocUnsafe(end - start);
      const size = await promised<number>((done) => {
        fs.read(fd, bytes, 0, bytes.length, start, done);
      });
      return bytes.subarray(0, size);
    } finally {
      await promised<void>((done) => fs.close(fd, done));
    }
  } catch {
    return Buffer.alloc(0);
  }
}
