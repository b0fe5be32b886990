import { createJournalReader, type FileSystem, type SessionPlaces } from "@thoughtflow/journal";
import type { FlowRecord } from "@thoughtflow/schema";
import {
  createSessionOutline,
  type OutlineOptions,
  type SessionOutline,
  type Stretch,
} from "./session-outline.ts";

/** A session that stands in journals, so that it can be assembled stretch by stretch. */
export interface SessionStretches {
  readonly stretches: readonly Stretch[];
  readonly outline: SessionOutline;
  /** The records of these traces as the journals were when they were looked at. */
  recordsOfTraces(traceIds: Iterable<string>): readonly FlowRecord[];
  /** Whether other processes have recorded more of the session meanwhile. */
  hasGrown(): boolean;
}

/** Which journals are looked at, and how. */
export interface SessionStretchesOptions {
  readonly dir: string;
  /** The journal of this process, which goes on meanwhile: what comes then is written the next time. */
  readonly writer: string;
  readonly fs: FileSystem;
  readonly outline?: OutlineOptions | undefined;
}

/** So many traces are read together for the outline. */
const TRACES_AT_ONCE = 16;

/** `undefined` where the session is short or has to be assembled in one piece. */
export function sessionStretches(
  sessionId: string,
  { dir, writer, fs, outline: sizes }: SessionStretchesOptions,
): SessionStretches | undefined {
  const readers = [true, false].map((isOwn) => {
    const filter = (one: string): boolean => (one === writer) === isOwn;
    const reader = createJournalReader(dir, { filter, textsStay: true, fs });
    reader.refreshSync();
    return reader;
  });
  const places = readers.map((reader) => reader.placesOfSession(sessionId));
  if (places.some(({ isDecided }) => isDecided)) return undefined;

  function recordsOfTraces(traceIds: Iterable<string>): readonly FlowRecord[] {
    const wanted = [...traceIds];
    return readers.flatMap((reader) => reader.recordsOfTraces(wanted));
  }

  const outline = createSessionOutline(sizes);
  const traceIds = [...new Set(places.flatMap((one) => one.traceIds))];
  for (let at = 0; at < traceIds.length; at += TRACES_AT_ONCE) {
    for (const record of recordsOfTraces(traceIds.slice(at, at + TRACES_AT_ONCE)))
      outline.take(record);
    if (outline.isWhole) return undefined;
  }
  const stretches = outline.stretches();
  if (stretches === undefined) return undefined;
  const [, others] = readers;
  const count = (known: SessionPlaces | undefined): number => known?.count ?? 0;
  return {
    stretches,
    outline,
    recordsOfTraces,
    hasGrown() {
      others?.refreshSync();
      return count(others?.placesOfSession(sessionId)) > count(places[1]);
    },
  };
}
