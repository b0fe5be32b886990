import { digestOfSpan } from "@thoughtflow/assemble";
import { isImportedSpan, sessionIdOf } from "@thoughtflow/dialects/spans";
import {
  createJournalReader,
  type FileSystem,
  realFileSystem,
  settledWriters,
} from "@thoughtflow/journal";
import type { FlowRecord, SpanRecord, TombstoneRecord } from "@thoughtflow/schema";
import { stableJson } from "@thoughtflow/schema/canonical";
import { isCall, supersededSpans, type ToldRun, tell, untoldRun } from "./superseded-spans.ts";

/** What a flow directory was told before, and has in documents. */
export interface KnownRecords {
  /** Takes note of a record that is told now: the session that has an equal one; `undefined` where it is new, or names no session. */
  take(record: FlowRecord): string | undefined;
  /** Whether there is something of a session of which a record was taken. */
  knows(sessionId: string): boolean;
  /** Once all is told: erases what earlier imports told of the same sessions and this one tells otherwise. */
  superseded(): Iterable<TombstoneRecord>;
  /** After that, by sessions: how many runs are gone since all of their model calls, or spans where they have none, are told now in others. */
  readonly replaced: ReadonlyMap<string, number>;
  /** How many model calls of a run that is not told now are told in another one, and others of it are not. */
  readonly twice: ReadonlyMap<string, number>;
}

interface KnownSession {
  /** Of its records, and whether they were told again. */
  readonly digests: Map<string, boolean>;
  /** Bodies that were erased before. */
  readonly erased: Set<string>;
  /** What is told now, by traces. */
  readonly runs: Map<string, ToldRun>;
  /** The spans that are told now, by their ids. */
  readonly spans: Set<string>;
  /** The spans that are told now with a body that is new. */
  readonly changed: Set<string>;
  /** The spans that are told now with a body that was erased: what took its place stays. */
  readonly revived: Set<string>;
}

/** Of the directory as it is now. A session's records are read trace by trace at the first question about it. */
export function createKnownRecords(dir: string, fs: FileSystem = realFileSystem): KnownRecords {
  const settled = settledWriters(dir, fs);
  const reader = createJournalReader(dir, {
    filter: (writer) => settled.has(writer),
    textsStay: true,
    fs,
  });
  reader.refreshSync();
  const sessions = new Map<string, KnownSession>();
  const replaced = new Map<string, number>();
  const twice = new Map<string, number>();

  /** Trace by trace; what was decided or erased comes last. */
  function* tracesOf(sessionId: string): Generator<readonly FlowRecord[]> {
    const files = reader.keepOpen();
    try {
      const places = reader.placesOfSession(sessionId);
      for (const traceId of places.traceIds) yield places.recordsOfTraces([traceId]);
      if (places.isDecided)
        yield reader.recordsOfSession(sessionId).filter((record) => !isSpan(record));
    } finally {
      files.close();
    }
  }

  function sessionOf(sessionId: string): KnownSession {
    let session = sessions.get(sessionId);
    if (session !== undefined) return session;
    session = {
      digests: new Map(),
      erased: new Set(),
      runs: new Map(),
      spans: new Set(),
      changed: new Set(),
      revived: new Set(),
    };
    sessions.set(sessionId, session);
    for (const records of tracesOf(sessionId)) {
      for (const record of records) {
        session.digests.set(digestOf(record), false);
        if (record.type === "tombstone" && record.body !== undefined)
          session.erased.add(record.body);
      }
    }
    return session;
  }

  return {
    take(record) {
      const id = isSpan(record) ? sessionIdOf(record) : record.sessionId;
      if (id === undefined) return undefined;
      const { digests, erased, runs, spans, changed, revived } = sessionOf(id);
      if (digests.size === 0) return undefined;
      const digest = digestOf(record);
      const isKnown = digests.has(digest);
      if (isKnown) digests.set(digest, true);
      if (isSpan(record)) {
        const run = runs.get(record.traceId) ?? untoldRun();
        runs.set(record.traceId, run);
        tell(run, record);
        spans.add(record.spanId);
        if (!isKnown) changed.add(keyOf(record));
        if (erased.has(digest)) revived.add(keyOf(record));
      }
      return isKnown ? id : undefined;
    },
    knows: (sessionId) => (sessions.get(sessionId)?.digests.size ?? 0) > 0,
    *superseded() {
      for (const [sessionId, session] of sessions) {
        if (session.changed.size === 0) continue;
        for (const records of tracesOf(sessionId)) {
          const { gone, isReplaced, callsTwice } = lookAgain(records, session);
          if (isReplaced) addTo(replaced, sessionId, 1);
          if (callsTwice > 0) addTo(twice, sessionId, callsTwice);
          for (const [{ traceId, spanId }, body] of gone)
            yield { type: "tombstone", sessionId, traceId, spanId, body };
        }
      }
    },
    replaced,
    twice,
  };
}

/** What becomes of a run that was told before. */
interface LookedAt {
  /** The spans with the bodies that are erased. */
  readonly gone: Iterable<readonly [SpanRecord, string]>;
  readonly isReplaced: boolean;
  readonly callsTwice: number;
}

/** @param records Of one trace. */
function lookAgain(records: readonly FlowRecord[], session: KnownSession): LookedAt {
  const { digests, erased, runs, spans, changed, revived } = session;
  const bodies = new Map<SpanRecord, string>();
  for (const record of records) {
    if (!isSpan(record) || !isImportedSpan(record)) continue;
    const body = digestOfSpan(record);
    if (!erased.has(body)) bodies.set(record, body);
  }
  const before = [...bodies.keys()];
  const now = runs.get(before[0]?.traceId ?? "");
  if (now === undefined) {
    // A run of its own as long as nobody knew who had asked for it, or one that another file told.
    const calls = before.filter(isCall);
    const callsTwice = calls.filter(({ spanId }) => spans.has(spanId)).length;
    const telling = calls.length > 0 ? calls : before;
    const isReplaced = telling.length > 0 && telling.every(({ spanId }) => spans.has(spanId));
    return isReplaced
      ? { gone: bodies, isReplaced, callsTwice: 0 }
      : { gone: [], isReplaced, callsTwice };
  }
  const superseded = new Set(
    supersededSpans(before, now, (record) => {
      const key = keyOf(record);
      if (digests.get(bodies.get(record) ?? "") === true || revived.has(key)) return "same";
      if (changed.has(key)) return "otherwise";
      return spans.has(record.spanId) ? "moved" : "missing";
    }),
  );
  const gone = [...bodies].filter(([record]) => superseded.has(record));
  return { gone, isReplaced: false, callsTwice: 0 };
}

function addTo(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function isSpan(record: FlowRecord): record is SpanRecord {
  return record.type === "span_start" || record.type === "span_end";
}

function keyOf({ traceId, spanId }: SpanRecord): string {
  return `${traceId} ${spanId}`;
}

function digestOf(record: FlowRecord): string {
  return isSpan(record) ? digestOfSpan(record) : stableJson(record);
}
