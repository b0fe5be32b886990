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
  /**
   * Once all is told: erases what earlier imports told of the same sessions and this one tells otherwise, and brings back what is
   * told again.
   */
  superseded(): Iterable<TombstoneRecord>;
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
    session = { digests: new Map(), turns: new Map(), runs: new Map(), changed: new Map() };
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
        if (record.type !== "tombstone" || record.body === undefined) continue;
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
      const { digests, turns, runs, changed } = sessionOf(id);
      if (digests.size === 0) return undefined;
      const digest = digestOf(record);
      const isTold = digests.get(digest);
      if (isTold === false) digests.set(digest, true);
      if (isSpan(record)) {
        const run = runOf(runs, record.traceId);
        tell(run.told, record);
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
    *superseded() {
      if (isPartial) return;
      for (const [sessionId, session] of sessions) {
        const traceIds = [...session.runs]
          .filter(([, { isTold, isChanged, untold }]) => isTold && (isChanged || untold > 0))
          .map(([traceId]) => traceId);
        if (traceIds.length === 0) continue;
        for (const records of tracesOf(sessionId, traceIds)) {
          for (const tombstone of supersededIn(records, sessionId, session)) {
            session.turns.set(tombstone.body, tombstone.turn ?? 1);
            yield tombstone;
          }
        }
        for (const traceId of traceIds)
          Object.assign(runOf(session.runs, traceId), { isTold: false, isChanged: false });
      }
    },
  };
}

function runOf(runs: Map<string, KnownRun>, traceId: string): KnownRun {
  let run = runs.get(traceId);
  if (run === undefined) {
    run = { told: untoldRun(), untold: 0, isTold: false, isChanged: false };
    runs.set(traceId, run);
  }
  return run;
}

/** @param records Of one trace. */
function* supersededIn(
  records: readonly FlowRecord[],
  sessionId: string,
  { digests, turns, runs, changed }: KnownSession,
): Generator<TombstoneRecord & { readonly body: string }> {
  const bodies = new Map<string, SpanRecord>();
  const told = new Map<string, SpanRecord["type"]>();
  const before = untoldRun();
  const standing = new Set<string>();
  for (const record of records) {
    if (!isOfImport(record, sessionId)) continue;
    const [key, body] = [keyOf(record), digestOfSpan(record)];
    bodies.set(body, record);
    if (digests.get(body) === true && told.get(key) !== "span_end") told.set(key, record.type);
    own(before, record);
    if (isErased(turns, body) || standing.has(key)) continue;
    standing.add(key);
    tell(before, record);
  }
  const [first] = bodies.values();
  const now = runs.get(first?.traceId ?? "")?.told;
  if (now === undefined) return;
  const { isSuperseded, isFromOlder } = rivalTellings(now, before);

  /** An end stands before a start, whichever was told later; a start beside an end says nothing more. */
  function retellingOf(record: SpanRecord): Retelling {
    const types = [told.get(keyOf(record)), changed.get(keyOf(record))?.type];
    if (types.every((type) => type === undefined)) return "missing";
    return types.includes("span_end") === (record.type === "span_end") ? "otherwise" : "same";
  }

  function tombstone({ traceId, spanId }: SpanRecord, body: string) {
    const turn = (turns.get(body) ?? 0) + 1;
    const record = { type: "tombstone", sessionId, traceId, spanId, body } as const;
    return turn === 1 ? record : { ...record, turn };
  }

  for (const [body, record] of bodies) {
    const key = keyOf(record);
    const news = changed.get(key);
    const isTold = digests.get(body) === true;
    if (isErased(turns, body)) {
      // What is told is there, whoever tells it.
      const isNowhere = !standing.has(key) && news === undefined;
      if (isTold && (isNowhere || isSuperseded(record, "otherwise"))) yield tombstone(record, body);
      continue;
    }
    if (!isTold && isSuperseded(record, retellingOf(record))) yield tombstone(record, body);
    if (news?.type === record.type && !isErased(turns, news.body) && isFromOlder(record))
      yield tombstone(record, news.body);
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
