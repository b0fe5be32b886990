import type { PlaceTable } from "./place-table.ts";
import type { RecordIndex } from "./record-index.ts";

/** What a reader knows of one file of a journal. */
export interface Segment {
  readonly path: string;
  readonly writer: Writer;
  /** Behind the last intact frame. */
  scanned: number;
  size: number;
  /** Since it was read; what is behind `scanned` else is torn or was still being written. */
  hasGrown: boolean;
  /** Of a segment that is not indexed in full any more: the bodies that tell of a session, a trace, a piece … */
  find: PlaceTable | undefined;
}

/** What it knows of one writer: its files, and what they hold. */
export interface Writer {
  readonly index: RecordIndex;
  readonly segments: Map<string, Segment>;
  /** Known without having been read, as long as nobody asks for one of them. */
  sessions: ReadonlySet<string> | undefined;
}

/** The writer's segment of that path, known from now on. */
export function segmentOf(writer: Writer, path: string): Segment {
  let segment = writer.segments.get(path);
  if (segment === undefined) {
    segment = { path, writer, scanned: 0, size: 0, hasGrown: false, find: undefined };
    writer.segments.set(path, segment);
  }
  return segment;
}

/** The one that its writer may still be writing: let go, it would be read from its start whenever it has grown. */
export function isLatest(segment: Segment): boolean {
  return [...segment.writer.segments.values()].at(-1) === segment;
}

/** Those with bytes that were not read yet. */
export function grownSegments(writer: Writer): readonly Segment[] {
  return [...writer.segments.values()].filter(({ hasGrown }) => hasGrown);
}

/** The size of all of them; `undefined` when something was read. */
export function unreadBytes({ segments }: Writer): number | undefined {
  let bytes = 0;
  for (const { scanned, size } of segments.values()) {
    if (scanned > 0) return undefined;
    bytes += size;
  }
  return bytes;
}
