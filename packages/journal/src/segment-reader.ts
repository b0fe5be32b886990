import type { FlowRecord } from "@thoughtflow/schema";
import { createFileReader } from "./byte-reader.ts";
import { type FileSystem, fileSizeOf, promised } from "./file-system.ts";
import type { JournalReader } from "./journal-reader.ts";
import { createRecordIndex, type RecordIndex } from "./record-index.ts";

/** A file, and the writer whose records it goes on with. */
export interface SegmentPath {
  readonly path: string;
  readonly writer: string;
}

interface Segment {
  readonly path: string;
  readonly index: RecordIndex;
  /** Behind the last intact frame. */
  scanned: number;
  /** The size at the last look; what is behind `scanned` is torn or was still being written. */
  size: number;
}

/** A reader over the segments that `list` tells, each writer's oldest first. */
export function createSegmentReader(
  list: () => readonly SegmentPath[],
  fs: FileSystem,
): JournalReader {
  const indexes = new Map<string, RecordIndex>();
  const segments = new Map<string, Segment>();

  function segmentOf({ path, writer }: SegmentPath): Segment {
    let index = indexes.get(writer);
    if (index === undefined) {
      index = createRecordIndex(() => createFileReader(fs));
      indexes.set(writer, index);
    }
    let segment = segments.get(path);
    if (segment === undefined) {
      segment = { path, index, scanned: 0, size: 0 };
      segments.set(path, segment);
    }
    return segment;
  }

  function grownSegments(): readonly Segment[] {
    return list()
      .map(segmentOf)
      .filter((segment) => {
        const size = fileSizeOf(segment.path, fs);
        const hasGrown = size > segment.size;
        if (hasGrown) segment.size = size;
        return hasGrown;
      });
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
