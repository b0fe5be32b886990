import type { FlowRecord } from "@thoughtflow/schema";
import { type ByteReader, createFileReader, readLater, withFileReader } from "./byte-reader.ts";
import { MOST_RECALLED } from "./file-index.ts";
import type { FileSystem } from "./file-system.ts";
import { frameAround } from "./frame.ts";
import type { JournalReader, SessionPlaces } from "./growing-journal.ts";
import { createGrowthLook } from "./growth-look.ts";
import type { SegmentPath } from "./journal-folder.ts";
import { createPlaceTable } from "./place-table.ts";
import { createRecordIndex, type WantsRecord } from "./record-index.ts";
import type { RecordPlace } from "./record-places.ts";
import { grownSegments, isLatest, type Segment, unreadBytes, type Writer } from "./segments.ts";
import { createSessionWriters } from "./session-writers.ts";

export interface SegmentSource {
  /** Each writer's segments, oldest first. */
  readonly list: () => readonly SegmentPath[];
  /** The sessions of a writer whose segments have so many bytes; `undefined` when only reading them tells. */
  readonly sessionsOf?: (writer: string, bytes: number) => ReadonlySet<string> | undefined;
  readonly fs: FileSystem;
  /** Of thousands of journals not each refresh looks at all sizes again; it does when this has changed since the last. */
  readonly mustLook?: (() => number) | undefined;
  /** Frames of one writer that are in no segment yet. */
  readonly unwritten?: { readonly writer: string; readonly bytes: () => Buffer };
  /** Whether texts stay in their segments, as `StoredText`, and are read when they are looked at. Default false. */
  readonly textsStay?: boolean;
  /** How many segments are indexed in full, some 10 MB of memory each, and every writer's latest. Default 2. */
  readonly limit?: number;
  /** Hears of each segment that is about to be indexed in full, and of each longer frame that is about to be read. Must not throw. */
  readonly onLargeRead?: (() => void) | undefined;
}

/** The one that grows, and the one before. */
export const MOST_SEGMENTS = 2;

/** So many spans are read together. */
const SPANS_AT_ONCE = 1_000;

/** A segment is read in stretches of about that length. */
const SCANNED_BYTES = 512 * 1024;

/** A part of a file. */
interface Stretch {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Stands in the index for the path of what has none yet. */
const UNWRITTEN = "";

/**
 * A reader that reads a writer's segments only when they may hold what is asked for. Of a long-lived server's many
 * segments only the latest are indexed in full; of an older one the single frames are read that are asked for.
 */
export function createSegmentReader(source: SegmentSource): JournalReader {
  const { list, sessionsOf, fs, unwritten, textsStay = false, limit = MOST_SEGMENTS } = source;
  const { onLargeRead = () => {} } = source;
  const writers = new Map<string, Writer>();
  const writersOf = createSessionWriters();
  const grownWriters = createGrowthLook({ list, writerOf, fs, mustLook: source.mustLook });
  /** The segments that are indexed in full, the one longest untouched first. */
  const held = new Set<Segment>();
  /** What was read of the others for a question: the starts of bodies. */
  const recalled = new Map<Segment, Set<number>>();
  let waiting: Buffer = Buffer.alloc(0);
  /** For all questions, while files are kept open. */
  let kept: ByteReader | undefined;

  function writerOf(name: string): Writer {
    let writer = writers.get(name);
    if (writer === undefined) {
      const index = createRecordIndex(openReader, {
        // There may be ten thousand of them: each with a reader of its own would leave its windows behind.
        onMissing: (missing, reader) => recallWith(reader, created, [missing]),
        onSession: (sessionId) => writersOf.add(sessionId, created),
        staysIn: (path) => textsStay && path !== UNWRITTEN,
      });
      const created: Writer = { index, segments: new Map(), sessions: undefined };
      writer = created;
      writers.set(name, writer);
    }
    return writer;
  }

  function openReader(): ByteReader {
    if (kept !== undefined) return { read: kept.read, close() {} };
    const files = createFileReader(fs, onLargeRead);
    // What it reads may long outlive the index: it must not hold it.
    if (unwritten === undefined) return files;
    const { read, close } = files;
    return {
      read: (path, start, end) =>
        path === UNWRITTEN ? waiting.subarray(start, end) : read(path, start, end),
      close,
    };
  }

  function takeUnwritten(): void {
    if (unwritten === undefined) return;
    const { index } = writerOf(unwritten.writer);
    index.forget(UNWRITTEN);
    waiting = unwritten.bytes();
    if (waiting.length > 0) index.add(UNWRITTEN, waiting, 0);
  }

  /** Looks at the sizes; answers the writers that have grown. */
  function look(): Iterable<[string, Writer]> {
    makeRoom();
    takeUnwritten();
    return grownWriters();
  }

  /** Whether only reading it tells what a writer has written. */
  function mustRead(name: string, writer: Writer): boolean {
    const bytes = unreadBytes(writer);
    writer.sessions = bytes === undefined ? undefined : sessionsOf?.(name, bytes);
    for (const sessionId of writer.sessions ?? []) writersOf.add(sessionId, writer);
    return writer.sessions === undefined;
  }

  /** Takes in what a segment has grown by: gives the stretches that it needs, and is given their bytes. */
  function* taking(segment: Segment): Generator<Stretch, void, Buffer> {
    const { path, size, writer } = segment;
    let at = segment.scanned;
    let length = SCANNED_BYTES;
    while (at < size) {
      const known = segment.scanned;
      const until = Math.min(at + length, size);
      const bytes = yield { path, start: at, end: until };
      // Another refresh may have been faster.
      if (segment.scanned !== known) return;
      if (segment.find !== undefined) writer.index.forget(path);
      segment.find = undefined;
      const isCut = bytes.length < until - at;
      const { end, next } = writer.index.add(path, bytes, at, isCut ? undefined : size);
      segment.scanned = Math.max(known, end);
      // A file that could not be read to its end is tried again.
      if (isCut) break;
      // A frame that is longer than what was read is read again, whole.
      length = next > at ? SCANNED_BYTES : length * 2;
      at = next;
    }
    segment.hasGrown = at < size;
    recalled.delete(segment);
    held.delete(segment);
    held.add(segment);
  }

  function makeRoom(): void {
    for (const { writer, path } of recalled.keys()) writer.index.forget(path);
    recalled.clear();
    for (const segment of held) {
      if (held.size <= limit) return;
      if (isLatest(segment)) continue;
      held.delete(segment);
      segment.find = createPlaceTable(segment.writer.index.forget(segment.path));
      segment.scanned = 0;
    }
  }

  function readSegment(segment: Segment): void {
    onLargeRead();
    withFileReader(fs, (reader) => {
      const scan = taking(segment);
      for (let one = scan.next(); !one.done; ) {
        const { path, start, end } = one.value;
        one = scan.next(reader.read(path, start, end));
      }
    });
  }

  function read(writer: Writer): void {
    for (const segment of grownSegments(writer)) {
      readSegment(segment);
      makeRoom();
    }
    writer.sessions = undefined;
  }

  /** Reads from segments that are not indexed in full what they have of these sessions, traces, pieces or lists. */
  function recall(writer: Writer, names: Iterable<string>, isWanted?: WantsRecord): void {
    const wanted = [...names];
    withFileReader(fs, (reader) => recallWith(reader, writer, wanted, isWanted));
  }

  function recallWith(
    reader: ByteReader,
    writer: Writer,
    wanted: readonly string[],
    isWanted?: WantsRecord,
  ): void {
    for (const segment of writer.segments.values()) recallFrom(segment, wanted, reader, isWanted);
  }

  function recallFrom(
    segment: Segment,
    wanted: readonly string[],
    reader: ByteReader,
    isWanted: WantsRecord = () => true,
  ): void {
    const { path, find, writer } = segment;
    if (find === undefined) return;
    const found = wanted.flatMap((name) =>
      find(name).filter((start) => isWanted(name, path, start)),
    );
    if (found.length > MOST_RECALLED) {
      readSegment(segment);
      return;
    }
    const known = recalled.get(segment) ?? new Set();
    recalled.set(segment, known);
    for (const bodyStart of found) {
      if (known.has(bodyStart)) continue;
      const { start, end } = frameAround(bodyStart, (from, to) => reader.read(path, from, to));
      writer.index.add(path, reader.read(path, start, end), start);
      known.add(bodyStart);
    }
  }

  /** But for those that are not read yet and whose list says that they don't. */
  function writersThatName(sessionId: string): readonly Writer[] {
    return writersOf.get(sessionId).filter(({ sessions }) => sessions?.has(sessionId) !== false);
  }

  function recordsOfSession(writer: Writer, sessionId: string): FlowRecord[] {
    if (writer.sessions !== undefined) read(writer);
    const { index } = writer;
    recall(writer, [sessionId]);
    recall(writer, index.tracesOfSession(sessionId));
    return index.recordsOfSession(sessionId);
  }

  function recordsOfTraces(
    writer: Writer,
    traceIds: readonly string[],
    isWanted?: WantsRecord,
  ): FlowRecord[] {
    if (writer.sessions !== undefined) read(writer);
    recall(writer, traceIds, isWanted);
    return writer.index.recordsOfTraces(traceIds, isWanted);
  }

  function placesOfSession(sessionId: string): SessionPlaces {
    const named = new Map<Writer, Set<string>>();
    const decisions: FlowRecord[] = [];
    let count = 0;
    for (const writer of writersThatName(sessionId)) {
      const { index } = writer;
      const traces = new Set<string>();
      named.set(writer, traces);
      for (const path of pathsOf(writer)) {
        const places = index.placesOfSession(path, sessionId);
        count += places.length;
        for (const { traceId } of places) if (traceId !== undefined) traces.add(traceId);
        const decided = places.filter(({ traceId }) => traceId === undefined);
        for (const decision of index.recordsAt(decided)) decisions.push(decision);
      }
    }

    /** Who named it in these traces, and in which of them. */
    function* namedIn(traceIds: Iterable<string>): Generator<readonly [Writer, Set<string>]> {
      const wanted = [...traceIds];
      for (const [writer, traces] of named) {
        const its = new Set(wanted.filter((traceId) => traces.has(traceId)));
        if (its.size > 0) yield [writer, its];
      }
    }

    return {
      traceIds: [...new Set([...named.values()].flatMap((traces) => [...traces]))],
      count,
      decisions,
      recordsOfTraces(traceIds, isWanted) {
        makeRoom();
        return [...namedIn(traceIds)].flatMap(([writer, its]) =>
          recordsOfTraces(writer, [...its], isWanted),
        );
      },
      *placesOfTrace(traceId) {
        for (const [writer, its] of namedIn([traceId])) yield* placesOfTraces(writer, its);
      },
      *spansInTurns(traceIds) {
        for (const [writer, its] of namedIn(traceIds)) yield* spansInTurns(writer, its);
      },
    };
  }

  function* placesOfTraces(writer: Writer, traceIds: ReadonlySet<string>): Generator<RecordPlace> {
    const { index } = writer;
    for (const path of pathsOf(writer, traceIds)) yield* index.placesOfTraces(path, traceIds);
  }

  function* spansInTurns(
    writer: Writer,
    traceIds: ReadonlySet<string>,
  ): Generator<readonly FlowRecord[]> {
    const { index } = writer;
    for (const path of pathsOf(writer, traceIds)) {
      let turn: RecordPlace[] = [];
      for (const place of index.placesOfTraces(path, traceIds)) {
        if (turn.push(place) < SPANS_AT_ONCE) continue;
        yield index.recordsAt(turn);
        turn = [];
      }
      if (turn.length > 0) yield index.recordsAt(turn);
    }
  }

  /** The paths of a writer's segments, each while it is indexed in full; not of those that have none of these traces. */
  function* pathsOf(writer: Writer, traceIds?: ReadonlySet<string>): Generator<string> {
    for (const { path } of eachSegment(writer, traceIds)) yield path;
    yield UNWRITTEN;
  }

  /** Visits a writer's segments, one after the other in memory; not those that have none of these traces. */
  function* eachSegment(writer: Writer, traceIds?: ReadonlySet<string>): Generator<Segment> {
    if (writer.sessions !== undefined) read(writer);
    for (const segment of writer.segments.values()) {
      const { find } = segment;
      if (find !== undefined) {
        if (traceIds !== undefined && ![...traceIds].some((id) => find(id).length > 0)) continue;
        readSegment(segment);
      }
      yield segment;
      makeRoom();
    }
  }

  return {
    async refresh() {
      for (const [name, writer] of look()) {
        if (!mustRead(name, writer)) continue;
        for (const segment of grownSegments(writer)) {
          const scan = taking(segment);
          for (let one = scan.next(); !one.done; ) {
            const { path, start, end } = one.value;
            one = scan.next(await readLater(path, start, end, fs));
          }
        }
      }
    },
    refreshSync(isOver = () => false) {
      for (const [name, writer] of look()) {
        if (isOver()) return false;
        if (mustRead(name, writer)) read(writer);
      }
      return true;
    },
    records() {
      const all: FlowRecord[][] = [];
      for (const writer of writers.values()) {
        for (const { path } of eachSegment(writer)) all.push(writer.index.records(path));
      }
      return all.flat();
    },
    recordsOfTraces(traceIds, isWanted) {
      // Who asks for one trace after the other comes by all segments.
      makeRoom();
      const wanted = [...traceIds];
      return [...writers.values()].flatMap((writer) => recordsOfTraces(writer, wanted, isWanted));
    },
    *placesOfTrace(traceId) {
      const wanted = new Set([traceId]);
      for (const writer of writers.values()) yield* placesOfTraces(writer, wanted);
    },
    *spansInTurns(traceIds) {
      for (const writer of writers.values()) yield* spansInTurns(writer, traceIds);
    },
    recordsOfSession: (sessionId) =>
      writersThatName(sessionId).flatMap((writer) => recordsOfSession(writer, sessionId)),
    placesOfSession,
    sessionIds() {
      const ids = new Set<string>();
      for (const writer of writers.values()) {
        for (const id of writer.sessions ?? []) ids.add(id);
        if (writer.sessions !== undefined) continue;
        for (const _ of eachSegment(writer))
          for (const id of writer.index.sessionIds()) ids.add(id);
      }
      return [...ids];
    },
    keepOpen() {
      const files = openReader();
      kept = files;
      return {
        close() {
          kept = undefined;
          files.close();
        },
      };
    },
  };
}
