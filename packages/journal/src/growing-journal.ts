import type { FlowRecord } from "@thoughtflow/schema";
import type { WantsRecord } from "./record-index.ts";
import type { RecordPlace } from "./record-places.ts";

/**
 * Reads journals as they grow: `refresh` takes in what was appended since the last one, and what was read once is
 * not read again. The journal of a process that ended in order is read when a session of it is asked for, and not
 * before. Unreadable files and damaged parts are passed over; nothing here throws.
 */
export interface JournalReader {
  refresh(): Promise<void>;
  /**
   * The same at once. `isOver` is asked between journals, of which there may be thousands: once it says so, the rest is
   * left for the next time.
   *
   * @returns whether everything was taken in
   */
  refreshSync(isOver?: () => boolean): boolean;
  /** Every record, writer by writer, in the order in which each was written. */
  records(): FlowRecord[];
  /** The spans of these traces, or those of them that are wanted. */
  recordsOfTraces(traceIds: Iterable<string>, isWanted?: WantsRecord): FlowRecord[];
  /** Where the spans of a trace stand, writer by writer, in the order in which they were written. */
  placesOfTrace(traceId: string): Iterable<RecordPlace>;
  /** The spans of these traces, a thousand at a time, in the order of `placesOfTrace`. */
  spansInTurns(traceIds: ReadonlySet<string>): Iterable<readonly FlowRecord[]>;
  /** The spans of every trace in which a span names the session, and what was decided about the session. */
  recordsOfSession(sessionId: string): FlowRecord[];
  /** Where the records of a session are, so that they can be read trace by trace. */
  placesOfSession(sessionId: string): SessionPlaces;
  /** Every session that a record names. */
  sessionIds(): string[];
  /**
   * Until it is closed, what is asked for is read through files that stay open, and so are the texts of records that were asked for
   * meanwhile: one by one, to open a file takes longer than to read a text.
   */
  keepOpen(): OpenFiles;
}

/** Files that stay open until it is closed. */
export interface OpenFiles {
  close(): void;
}

/** What the journals hold of a session, without its records. */
export interface SessionPlaces {
  /** The traces in which a span names it, each once, in the order in which they were first written. */
  readonly traceIds: readonly string[];
  /** How many records name it. */
  readonly count: number;
  /** What was decided about the session, or erased of it. */
  readonly decisions: readonly FlowRecord[];
  /** The spans of these traces, each trace by the writers that named the session in it when the places were told. */
  recordsOfTraces(traceIds: Iterable<string>, isWanted?: WantsRecord): FlowRecord[];
  /** See `JournalReader`; by the same writers. */
  placesOfTrace(traceId: string): Iterable<RecordPlace>;
  spansInTurns(traceIds: ReadonlySet<string>): Iterable<readonly FlowRecord[]>;
}
