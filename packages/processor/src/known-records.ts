import { digestOfSpan, isErasedAt } from "@thoughtflow/assemble";
import { isImportedSpan, sessionIdOf } from "@thoughtflow/dialects/spans";
import {
  createJournalReader,
  type FileSystem,
  realFileSystem,
  settledWriters,
} from "@thoughtflow/journal";
import type { FlowRecord, SpanRecord, TombstoneRecord } from "@thoughtflow/schema";
import { stableJson } from "@thoughtflow/schema/canonical";
import {
  isCall,
  own,
  type Retelling,
  rivalTellings,
  type ToldRun,
  tell,
  untoldRun,
} from "./superseded-spans.ts";

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
  /** After that, by sessions: how many runs are gone since all of their model calls, or spans where they have none, are told now in others. */
  readonly replaced: ReadonlyMap<string, number>;
  /** How many model calls of a run that is not told now are told in another one, and others of it are not. */
  readonly twice: ReadonlyMap<string, number>;
}

interface KnownSession {
  /** Of its records, and whether they were told again. */
  readonly digests: Map<string, boolean>;
  /** Of bodies that were erased, how often that was said, or taken back. */
  readonly turns: Map<string, number>;
  /** By traces. */
  readonly runs: Map<string, KnownRun>;
  /** The spans that are told now with a body that is new. */
  readonly changed: Map<string, Changed>;
  /** The spans that are told now, by their ids. */
  readonly spans: Set<string>;
  /** All of it was erased. */
  isErased: boolean;
}

interface KnownRun {
  /** What is told now. */
  readonly told: ToldRun;
  /** How many bodies of imports stand there that are not told now. */
  untold: number;
  /** Whether something was told since it was looked at, and of that something that doesn't stand there. */
  isTold: boolean;
  isChanged: boolean;
}

interface Changed {
  readonly type: SpanRecord["type"];
  readonly body: string;
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

  /** Trace by trace, of all or only some; what was decided or erased comes last. */
  function* tracesOf(
    sessionId: string,
    only?: readonly string[],
  ): Generator<readonly FlowRecord[]> {
    const files = reader.keepOpen();
    try {
      const places = reader.placesOfSession(sessionId);
      for (const traceId of only ?? places.traceIds) yield places.recordsOfTraces([traceId]);
      if (only === undefined && places.isDecided)
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
      turns: new Map(),
      runs: new Map(),
      changed: new Map(),
      spans: new Set(),
      isErased: false,
    };
    sessions.set(sessionId, session);
    const { digests, turns, runs } = session;
    /** The traces of erased bodies. */
    const erased = new Map<string, string>();
    for (const records of tracesOf(sessionId)) {
      for (const record of records) {
        const digest = digestOf(record);
        if (digests.has(digest)) continue;
        digests.set(digest, false);
        if (isOfImport(record, sessionId)) runOf(runs, record.traceId).untold++;
        if (record.type !== "tombstone") continue;
        session.isErased ||= record.traceId === undefined && record.spanId === undefined;
        if (record.body === undefined) continue;
        turns.set(record.body, Math.max(turns.get(record.body) ?? 0, record.turn ?? 1));
        if (record.traceId !== undefined) erased.set(record.body, record.traceId);
      }
    }
    for (const [body, traceId] of erased)
      if (isErased(turns, body) && digests.has(body)) runOf(runs, traceId).untold--;
    return session;
  }

  return {
    take(record) {
      const id = isSpan(record) ? sessionIdOf(record) : record.sessionId;
      if (id === undefined) return undefined;
      const { digests, turns, runs, changed, spans, isErased: isGone } = sessionOf(id);
      if (digests.size === 0) return undefined;
      if (isGone) return id;
      const digest = digestOf(record);
      const isTold = digests.get(digest);
      if (isTold === false) digests.set(digest, true);
      if (isSpan(record)) {
        const run = runOf(runs, record.traceId);
        tell(run.told, record);
        spans.add(record.spanId);
        run.isTold = true;
        const stands = isTold !== undefined && !isErased(turns, digest);
        if (!stands) run.isChanged = true;
        else if (isTold === false && isImportedSpan(record)) run.untold--;
        if (isTold === undefined && changed.get(keyOf(record))?.type !== "span_end")
          changed.set(keyOf(record), { type: record.type, body: digest });
      }
      return isTold === undefined ? undefined : id;
    },
    knows: (sessionId) => (sessions.get(sessionId)?.digests.size ?? 0) > 0,
    isErased: (sessionId) => sessions.get(sessionId)?.isErased === true,
    *superseded() {
      if (isPartial) return;
      for (const [sessionId, session] of sessions) {
        const runs = [...session.runs];
        const isNews = runs.some(([, { isChanged }]) => isChanged);
        const traceIds = runs
          .filter(([, { isTold, isChanged, untold }]) =>
            isTold ? isChanged || untold > 0 : isNews && untold > 0,
          )
          .map(([traceId]) => traceId);
        if (traceIds.length === 0) continue;
        for (const records of tracesOf(sessionId, traceIds)) {
          const { gone, isReplaced, callsTwice } = lookAgain(records, sessionId, session);
          if (isReplaced) addTo(replaced, sessionId, 1);
          if (callsTwice > 0) addTo(twice, sessionId, callsTwice);
          for (const tombstone of gone) {
            session.turns.set(tombstone.body, tombstone.turn ?? 1);
            yield tombstone;
          }
        }
        for (const traceId of traceIds)
          Object.assign(runOf(session.runs, traceId), { isTold: false, isChanged: false });
      }
    },
    replaced,
    twice,
  };
}

function addTo(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function runOf(runs: Map<string, KnownRun>, traceId: string): KnownRun {
  let run = runs.get(traceId);
  if (run === undefined) {
    run = { told: untoldRun(), untold: 0, isTold: false, isChanged: false };
    runs.set(traceId, run);
  }
  return run;
}

type Erasure = TombstoneRecord & { readonly body: string };

/** What becomes of a run that was told before. */
interface LookedAt {
  readonly gone: readonly Erasure[];
  readonly isReplaced: boolean;
  readonly callsTwice: number;
}

/** @param records Of one trace. */
function lookAgain(
  records: readonly FlowRecord[],
  sessionId: string,
  session: KnownSession,
): LookedAt {
  const bodies = new Map<string, SpanRecord>();
  for (const record of records)
    if (isOfImport(record, sessionId)) bodies.set(digestOfSpan(record), record);
  const [first] = bodies.values();
  const now = session.runs.get(first?.traceId ?? "")?.told;
  if (now !== undefined && now.parts.size > 0) {
    const gone = supersededIn(bodies, now, sessionId, session);
    return { gone: [...gone], isReplaced: false, callsTwice: 0 };
  }
  // A run of its own as long as nobody knew who had asked for it, or one that another file told.
  const standing = [...bodies].filter(([body]) => !isErased(session.turns, body));
  const isElsewhere = ([, { spanId }]: (typeof standing)[number]): boolean =>
    session.spans.has(spanId);
  const calls = standing.filter(([, record]) => isCall(record));
  const telling = calls.length > 0 ? calls : standing;
  const isReplaced = telling.length > 0 && telling.every(isElsewhere);
  return isReplaced
    ? {
        gone: standing.map(([body, record]) => erasure(record, body, sessionId, session)),
        isReplaced,
        callsTwice: 0,
      }
    : { gone: [], isReplaced, callsTwice: calls.filter(isElsewhere).length };
}

/** Says that a body is gone, or, where that was said, that it is there again. */
function erasure(
  { traceId, spanId }: SpanRecord,
  body: string,
  sessionId: string,
  { turns }: KnownSession,
): Erasure {
  const turn = (turns.get(body) ?? 0) + 1;
  const record = { type: "tombstone", sessionId, traceId, spanId, body } as const;
  return turn === 1 ? record : { ...record, turn };
}

/** @param bodies Of one trace. */
function* supersededIn(
  bodies: ReadonlyMap<string, SpanRecord>,
  now: ToldRun,
  sessionId: string,
  session: KnownSession,
): Generator<Erasure> {
  const { digests, turns, changed, spans } = session;
  const told = new Map<string, SpanRecord["type"]>();
  for (const [body, record] of bodies) {
    const key = keyOf(record);
    if (digests.get(body) === true && told.get(key) !== "span_end") told.set(key, record.type);
  }

  /** An end stands before a start, whichever was told later; a start beside an end says nothing more. */
  function retellingOf(record: SpanRecord): Retelling {
    const types = [told.get(keyOf(record)), changed.get(keyOf(record))?.type];
    if (types.every((type) => type === undefined))
      return spans.has(record.spanId) ? "moved" : "missing";
    return types.includes("span_end") === (record.type === "span_end") ? "otherwise" : "same";
  }

  const before = untoldRun();
  const standing = new Set<string>();
  for (const [body, record] of bodies) {
    const key = keyOf(record);
    own(before, record);
    if (isErased(turns, body) || standing.has(key)) continue;
    standing.add(key);
    if (retellingOf(record) !== "moved") tell(before, record);
  }
  const { isSuperseded, isFromOlder } = rivalTellings(now, before);
  for (const [body, record] of bodies) {
    const key = keyOf(record);
    const news = changed.get(key);
    const isTold = digests.get(body) === true;
    if (isErased(turns, body)) {
      // What is told is there, whoever tells it.
      const isNowhere = !standing.has(key) && news === undefined;
      if (isTold && (isNowhere || isSuperseded(record, "otherwise")))
        yield erasure(record, body, sessionId, session);
      continue;
    }
    if (!isTold && isSuperseded(record, retellingOf(record)))
      yield erasure(record, body, sessionId, session);
    if (news?.type === record.type && !isErased(turns, news.body) && isFromOlder(record))
      yield erasure(record, news.body, sessionId, session);
  }
}

/** Whether an import told it, of this session. */
function isOfImport(record: FlowRecord, sessionId: string): record is SpanRecord {
  return isSpan(record) && isImportedSpan(record) && sessionIdOf(record) === sessionId;
}

function isErased(turns: ReadonlyMap<string, number>, body: string): boolean {
  return isErasedAt(turns.get(body) ?? 0);
}

function isSpan(record: FlowRecord): record is SpanRecord {
  return record.type === "span_start" || record.type === "span_end";
}

function keyOf({ traceId, spanId }: Pick<SpanRecord, "traceId" | "spanId">): string {
  return `${traceId} ${spanId}`;
}

function digestOf(record: FlowRecord): string {
  return isSpan(record) ? digestOfSpan(record) : stableJson(record);
}
