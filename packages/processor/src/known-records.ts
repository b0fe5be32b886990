import { isSpan, sessionNamedIn } from "@thoughtflow/dialects/spans";
import {
  createJournalReader,
  type FileSystem,
  realFileSystem,
  settledWriters,
} from "@thoughtflow/journal";
import type { FlowRecord, TombstoneRecord } from "@thoughtflow/schema";
import { type KnownSession, knownSession, tellAgain } from "./known-session.ts";
import { retoldRun } from "./retold-run.ts";

/** What a flow directory was told before, and has in documents. */
export interface KnownRecords {
  /** Takes note of a record that is told now: the session that has an equal one; `undefined` where it is new, or names no session. */
  take(record: FlowRecord): string | undefined;
  /** Whether there is something of a session of which a record was taken. */
  knows(sessionId: string): boolean;
  /** Whether all of it was erased, for ever: whatever is told of it counts as there. */
  isErased(sessionId: string): boolean;
  /**
   * Once all is told: erases what earlier imports told of the same sessions and this one tells otherwise, and brings back what is
   * told again.
   */
  superseded(): Iterable<TombstoneRecord>;
  /** After that, by sessions: how many runs are gone since others tell all of them now. */
  readonly replaced: ReadonlyMap<string, number>;
  /** How many model calls of a run that is not told now are told in another one, and others of it are not. */
  readonly twice: ReadonlyMap<string, number>;
}

/** What may be told, and the file system; default: the real one. */
export interface KnownRecordsOptions {
  readonly fs?: FileSystem;
  /** What is told of a run need not be all of it, as of spans that came in several requests: nothing is superseded. Default false. */
  readonly isPartial?: boolean;
}

/** Of the directory as it is now. A session's records are read trace by trace at the first question about it. */
export function createKnownRecords(
  dir: string,
  { fs = realFileSystem, isPartial = false }: KnownRecordsOptions = {},
): KnownRecords {
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

  /** Of these traces, one after the other. */
  function* tracesOf(
    sessionId: string,
    traceIds: Iterable<string>,
  ): Generator<readonly FlowRecord[]> {
    const files = reader.keepOpen();
    try {
      const places = reader.placesOfSession(sessionId);
      for (const traceId of traceIds) yield places.recordsOfTraces([traceId]);
    } finally {
      files.close();
    }
  }

  function* recordsOf(sessionId: string): Generator<FlowRecord> {
    const { traceIds, isDecided } = reader.placesOfSession(sessionId);
    for (const records of tracesOf(sessionId, traceIds)) yield* records;
    if (!isDecided) return;
    for (const record of reader.recordsOfSession(sessionId)) if (!isSpan(record)) yield record;
  }

  function sessionOf(id: string): KnownSession {
    let session = sessions.get(id);
    if (session === undefined) {
      session = knownSession(id, recordsOf(id));
      sessions.set(id, session);
    }
    return session;
  }

  return {
    take(record) {
      const id = sessionNamedIn(record);
      if (id === undefined) return undefined;
      const session = sessionOf(id);
      if (session.digests.size === 0) return undefined;
      return session.isErased || tellAgain(session, record) ? id : undefined;
    },
    knows: (sessionId) => (sessions.get(sessionId)?.digests.size ?? 0) > 0,
    isErased: (sessionId) => sessions.get(sessionId)?.isErased === true,
    *superseded() {
      if (isPartial) return;
      for (const session of sessions.values()) {
        const looked = runsToLookAt(session);
        for (const records of tracesOf(session.id, looked)) {
          const { erasures, isReplaced, callsTwice } = retoldRun(records, session);
          for (const tombstone of erasures) {
            session.turns.set(tombstone.body, tombstone.turn ?? 1);
            yield tombstone;
          }
          if (isReplaced) addTo(replaced, session.id, 1);
          if (callsTwice > 0) addTo(twice, session.id, callsTwice);
        }
        for (const traceId of looked)
          Object.assign(session.runs.get(traceId) ?? {}, { isTold: false, isChanged: false });
      }
    },
    replaced,
    twice,
  };
}

/** Those in which something is told that doesn't stand there, or stands that isn't told; of runs that are not told once there is news at all. */
function runsToLookAt({ runs }: KnownSession): readonly string[] {
  const isNews = [...runs.values()].some(({ isChanged }) => isChanged);
  return [...runs]
    .filter(([, { isTold, isChanged, untold }]) =>
      isTold ? isChanged || untold > 0 : isNews && untold > 0,
    )
    .map(([traceId]) => traceId);
}

function addTo(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
