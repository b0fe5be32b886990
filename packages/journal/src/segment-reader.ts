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

export interface SegmentSource {
  /** Each writer's segments, oldest first. */
  readonly list: () => readonly SegmentPath[];
  /** The sessions of a writer whose segments have so many bytes; `undefined` when only reading them tells. */
  readonly sessionsOf?: (writer: string, bytes: number) => ReadonlySet<string> | undefined;
  readonly fs: FileSystem;
}

interface Segment {
  readonly path: string;
  /** Behind the last intact frame. */
  scanned: number;
  size: number;
  /** Since it was read; what is behind `scanned` else is torn or was still being written. */
  hasGrown: boolean;
}

interface Writer {
  readonly index: RecordIndex;
  readonly segments: Map<string, Segment>;
  /** Known without having been read, as long as nobody asks for one of them. */
  sessions: ReadonlySet<string> | undefined;
}

/** A reader that reads a writer's segments only when they may hold what is asked for. */
export function createSegmentReader({ list, sessionsOf, fs }: SegmentSource): JournalReader {
  const writers = new Map<string, Writer>();

  function writerOf(name: string): Writer {
    let writer = writers.get(name);
    if (writer === undefined) {
      const index = createRecordIndex(() => createFileReader(fs));
      writer = { index, segments: new Map(), sessions: undefined };
      writers.set(name, writer);
    }
    return writer;
  }

  /** Looks at the sizes; answers the writers that have to be read. */
  function look(): readonly Writer[] {
    const grown = new Map<string, Writer>();
    for (const { path, writer: name } of list()) {
      const writer = writerOf(name);
      const segment = writer.segments.get(path) ?? { path, scanned: 0, size: 0, hasGrown: false };
      writer.segments.set(path, segment);
      const size = fileSizeOf(path, fs);
      segment.hasGrown ||= size > segment.size;
      segment.size = Math.max(segment.size, size);
      if (segment.hasGrown) grown.set(name, writer);
    }
    return [...grown].flatMap(([name, writer]) => {
      const segments = [...writer.segments.values()];
      const isUnread = segments.every(({ scanned }) => scanned === 0);
      const bytes = segments.reduce((sum, { size }) => sum + size, 0);
      writer.sessions = isUnread ? sessionsOf?.(name, bytes) : undefined;
      return writer.sessions === undefined ? [writer] : [];
    });
  }

  function read(writer: Writer): void {
    const reader = createFileReader(fs);
    for (const segment of grownSegments(writer)) {
      take(writer, segment, reader.read(segment.path, segment.scanned, segment.size));
    }
    reader.close();
    writer.sessions = undefined;
  }

  /** The indexes of the writers that may know the session, or of all. */
  function indexes(sessionId?: string): readonly RecordIndex[] {
    const found: RecordIndex[] = [];
    for (const writer of writers.values()) {
      if (writer.sessions !== undefined) {
        if (sessionId !== undefined && !writer.sessions.has(sessionId)) continue;
        read(writer);
      }
      found.push(writer.index);
    }
    return found;
  }

  return {
    async refresh() {
      for (const writer of look()) {
        for (const segment of grownSegments(writer)) {
          const { path, scanned, size } = segment;
          const bytes = await readLater(path, scanned, size, fs);
          // Another refresh may have been faster.
          if (segment.scanned === scanned) take(writer, segment, bytes);
        }
      }
    },
    refreshSync() {
      for (const writer of look()) read(writer);
    },
    records: () => indexes().flatMap((index) => index.records()),
    recordsOfTraces(traceIds) {
      const wanted = new Set(traceIds);
      return indexes().flatMap((index) => index.recordsOfTraces(wanted));
    },
    recordsOfSession: (sessionId): FlowRecord[] =>
      indexes(sessionId).flatMap((index) => index.recordsOfSession(sessionId)),
    sessionIds() {
      const ids = new Set<string>();
      for (const { index, sessions } of writers.values()) {
        for (const id of sessions ?? index.sessionIds()) ids.add(id);
      }
      return [...ids];
    },
  };
}

function grownSegments(writer: Writer): readonly Segment[] {
  return [...writer.segments.values()].filter(({ hasGrown }) => hasGrown);
}

function take(writer: Writer, segment: Segment, bytes: Buffer): void {
  // A file that could not be read to its end is tried again.
  segment.hasGrown = segment.scanned + bytes.length < segment.size;
  segment.scanned = writer.index.add(segment.path, bytes, segment.scanned).end;
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
