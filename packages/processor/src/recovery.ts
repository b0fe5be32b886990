import { assemble } from "@thoughtflow/assemble";
import {
  type AdoptedJournal,
  createJournalReader,
  type FileSystem,
  type Journal,
  type JournalReader,
  type OrphanedJournal,
  type QuarantinedBytes,
  readOrphan,
  realFileSystem,
} from "@thoughtflow/journal";
import type { FlowRecord, SessionRecord, SpanRecord } from "@thoughtflow/schema";

/** A session of processes that are gone. Its files have to be looked at. */
export interface RecoveredSession {
  readonly sessionId: string;
  readonly orphans: readonly AdoptedJournal[];
  /** Of their journals. */
  readonly bytes: number;
}

/** A journal that was taken up: whoever is given it may have it examined elsewhere; else it is examined here. */
export interface TakenUp {
  readonly orphan: AdoptedJournal;
  examined: ExaminedJournal | undefined;
}

/** What a dead process's journal comes to. Plain data. */
export interface ExaminedJournal {
  readonly sessions: readonly string[];
  /** For each run that the process left open: that it was abandoned. */
  readonly decisions: readonly SessionRecord[];
  /** What was kept of its damage. */
  readonly quarantined: readonly QuarantinedBytes[];
}

/** For some 10 ms. */
const SETTLED_AT_ONCE = 64;

export interface RecoverSessionsOptions {
  readonly fs?: FileSystem;
  /** Longer journals are left to others. Default: none is. */
  readonly mostBytes?: number | undefined;
}

/**
 * Takes up the journals whose writers are gone, one by one, then goes session by session through what they hold. What was
 * open when a process died is decided here, once: it goes into this process's journal. Answer each session with whether its
 * files are as they should be: a journal with all its sessions in files is settled, the others are for the next one who
 * looks. `undefined` is a pause.
 */
export function* recoverSessions(
  dir: string,
  journal: Journal,
  { fs = realFileSystem, mostBytes = Number.POSITIVE_INFINITY }: RecoverSessionsOptions = {},
): Generator<TakenUp | RecoveredSession | undefined, void, boolean> {
  const undecided = undecidedRuns(dir, fs);
  const adopted: TakenUp[] = [];
  const orphansOf = new Map<string, AdoptedJournal[]>();
  try {
    for (const orphan of journal.orphans()) {
      if (orphan.bytes > mostBytes) {
        orphan.release();
        continue;
      }
      const taken: TakenUp = { orphan, examined: undefined };
      adopted.push(taken);
      yield taken;
      taken.examined ??= examineJournal(dir, orphan, fs, undecided);
      for (const decision of taken.examined.decisions) journal.append(decision);
      for (const sessionId of taken.examined.sessions) {
        const orphans = orphansOf.get(sessionId);
        if (orphans === undefined) orphansOf.set(sessionId, [orphan]);
        else orphans.push(orphan);
      }
    }
    const unsettled = new Set<AdoptedJournal>();
    for (const [sessionId, orphans] of orphansOf) {
      const bytes = orphans.reduce((sum, orphan) => sum + orphan.bytes, 0);
      const isWritten = yield { sessionId, orphans, bytes };
      if (!isWritten) for (const orphan of orphans) unsettled.add(orphan);
    }
    for (const [at, { orphan, examined }] of adopted.entries()) {
      if (!unsettled.has(orphan)) orphan.settle(examined?.sessions);
      if (at % SETTLED_AT_ONCE === SETTLED_AT_ONCE - 1) yield undefined;
    }
  } finally {
    for (const { orphan } of adopted) orphan.release();
  }
}

/**
 * Reads the journal of a process that is gone, and what others know of its open runs: of a long one, for seconds.
 *
 * @param undecided finds what all journals of the directory say of a session
 */
export function examineJournal(
  dir: string,
  orphan: OrphanedJournal,
  fs: FileSystem = realFileSystem,
  undecided: UndecidedRuns = undecidedRuns(dir, fs),
): ExaminedJournal {
  const { reader, quarantined } = readOrphan(dir, orphan, fs);
  const sessions = reader.sessionIds();
  const decisions = sessions.flatMap((sessionId) =>
    decisionsOn(sessionId, orphan.lastSignMs, reader, undecided),
  );
  return { sessions, decisions, quarantined };
}

/** Of a session: the open spans of runs that nobody has decided, as `<trace id>/<span id>`, each with its run's key. */
type UndecidedRuns = (sessionId: string) => ReadonlyMap<string, string>;

/**
 * All journals, looked at when they are first asked for and then no more, each session once: of thousands that takes long.
 * What somebody else decides meanwhile is the same.
 */
function undecidedRuns(dir: string, fs: FileSystem): UndecidedRuns {
  const known = new Map<string, ReadonlyMap<string, string>>();
  let reader: JournalReader | undefined;
  return (sessionId) => {
    if (reader === undefined) {
      reader = createJournalReader(dir, { textsStay: true, fs });
      reader.refreshSync();
    }
    const runs = known.get(sessionId) ?? undecidedIn(reader.recordsOfSession(sessionId), sessionId);
    known.set(sessionId, runs);
    return runs;
  };
}

/** For each run that a dead process left open: that it was abandoned. */
function decisionsOn(
  sessionId: string,
  lastSignMs: number,
  reader: JournalReader,
  undecided: UndecidedRuns,
): readonly SessionRecord[] {
  const left = openSpansIn(reader.recordsOfSession(sessionId));
  if (left.size === 0) return [];
  const timeUnixNano = `${Math.trunc(lastSignMs)}000000`;
  const runs = undecided(sessionId);
  const runKeys = new Set([...left].flatMap((span) => runs.get(span) ?? []));
  return [...runKeys].map((runKey) => ({
    type: "session",
    sessionId,
    runKey,
    status: "abandoned",
    reason: "recovered_after_crash",
    timeUnixNano,
  }));
}

/** `<trace id>/<span id>` of the spans that were started and never ended. */
function openSpansIn(records: readonly FlowRecord[]): ReadonlySet<string> {
  const spans = records.filter(
    (record): record is SpanRecord => "spanId" in record && "kind" in record,
  );
  const open = new Set(spans.filter(({ type }) => type === "span_start").map(keyOf));
  for (const span of spans) if (span.type === "span_end") open.delete(keyOf(span));
  return open;
}

function undecidedIn(
  records: readonly FlowRecord[],
  sessionId: string,
): ReadonlyMap<string, string> {
  const decided = new Set(
    records.flatMap((record) =>
      record.type === "session" && record.status !== "running" ? [record.runKey] : [],
    ),
  );
  const runOf = new Map<string, string>();
  const session = assemble(records).find((one) => one.session_id === sessionId);
  for (const { trace_id, span_id, status, steps } of session?.conversations ?? []) {
    const runKey = `${trace_id}/${span_id}`;
    if (decided.has(runKey)) continue;
    for (const step of steps)
      if (step.status === "running") runOf.set(`${trace_id}/${step.span_id}`, runKey);
    if (status === "running") runOf.set(runKey, runKey);
  }
  return runOf;
}

function keyOf({ traceId, spanId }: SpanRecord): string {
  return `${traceId}/${spanId}`;
}
