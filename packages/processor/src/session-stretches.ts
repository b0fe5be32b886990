import { createJournalReader, type FileSystem, traceOfSession } from "@thoughtflow/journal";
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
  let looks = 0;
  const own = createJournalReader(dir, { filter: (one) => one === writer, textsStay: true, fs });
  const others = createJournalReader(dir, {
    filter: (one) => one !== writer,
    textsStay: true,
    mustLook: () => looks++,
    fs,
  });
  own.refreshSync();
  others.refreshSync();
  const ofOwn = own.placesOfSession(sessionId);
  const ofOthers = others.placesOfSession(sessionId);
  if (ofOwn.isDecided || ofOthers.isDecided) return undefined;

  /** Its own spans need not name the session. */
  const trace = traceOfSession(sessionId);
  const isUnnamed = trace !== undefined && !ofOwn.traceIds.includes(trace);

  function recordsOfTraces(traceIds: Iterable<string>): readonly FlowRecord[] {
    const wanted = [...traceIds];
    const unnamed = isUnnamed && wanted.includes(trace) ? own.recordsOfTraces([trace]) : [];
    return [ofOwn, ofOthers].flatMap((one) => one.recordsOfTraces(wanted)).concat(unnamed);
  }

  const outline = createSessionOutline(sizes);
  const named = [...ofOwn.traceIds, ...ofOthers.traceIds, ...(isUnnamed ? [trace] : [])];
  const traceIds = [...new Set(named)];
  for (let at = 0; at < traceIds.length; at += TRACES_AT_ONCE) {
    for (const record of recordsOfTraces(traceIds.slice(at, at + TRACES_AT_ONCE)))
      outline.take(record);
    if (outline.isWhole) return undefined;
  }
  const stretches = outline.stretches();
  if (stretches === undefined) return undefined;
  return {
    stretches,
    outline,
    recordsOfTraces,
    hasGrown() {
      others.refreshSync();
      return others.placesOfSession(sessionId).count > ofOthers.count;
    },
  };
}
