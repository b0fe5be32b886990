import { assemble } from "@thoughtflow/assemble";
import {
  type AdoptedJournal,
  createJournalReader,
  type FileSystem,
  type Journal,
  type JournalReader,
  realFileSystem,
} from "@thoughtflow/journal";
import type { FlowRecord, SessionRecord, SpanRecord } from "@thoughtflow/schema";

/** A session of processes that are gone. Its files have to be looked at. */
export interface RecoveredSession {
  readonly sessionId: string;
  readonly orphans: readonly AdoptedJournal[];
}

/**
 * Goes through the journals whose writers are gone, then session by session through what they hold; `undefined` is a
 * pause. What was open when a process died is decided here, once: it goes into this process's journal. Answer each
 * session with whether its files are as they should be: a journal with all its sessions in files is settled, the others
 * are for the next one who looks.
 */
export function* recoverSessions(
  dir: string,
  journal: Journal,
  fs: FileSystem = realFileSystem,
): Generator<RecoveredSession | undefined, void, boolean> {
  const all = createJournalReader(dir, { textsStay: true, fs });
  const adopted: AdoptedJournal[] = [];
  const orphansOf = new Map<string, AdoptedJournal[]>();
  try {
    for (const orphan of journal.orphans()) {
      adopted.push(orphan);
      for (const sessionId of orphan.reader.sessionIds()) {
        for (const decision of decisionsOn(sessionId, orphan, all)) journal.append(decision);
        orphansOf.set(sessionId, [...(orphansOf.get(sessionId) ?? []), orphan]);
      }
      yield undefined;
    }
    const unsettled = new Set<AdoptedJournal>();
    for (const [sessionId, orphans] of orphansOf) {
      const isWritten = yield { sessionId, orphans };
      if (!isWritten) for (const orphan of orphans) unsettled.add(orphan);
    }
    for (const orphan of adopted) if (!unsettled.has(orphan)) orphan.settle();
  } finally {
    for (const orphan of adopted) orphan.release();
  }
}

/** For each run that a dead process left open: that it was abandoned. */
function decisionsOn(
  sessionId: string,
  orphan: AdoptedJournal,
  all: JournalReader,
): readonly SessionRecord[] {
  const open = openSpansIn(orphan.reader.recordsOfSession(sessionId));
  if (open.size === 0) return [];
  all.refreshSync();
  const timeUnixNano = `${Math.trunc(orphan.lastSignMs)}000000`;
  return runsWith(open, sessionId, all.recordsOfSession(sessionId)).map((runKey) => ({
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

/** The keys of the undecided runs that these spans keep open. */
function runsWith(
  open: ReadonlySet<string>,
  sessionId: string,
  records: readonly FlowRecord[],
): readonly string[] {
  const decided = new Set(
    records.flatMap((record) =>
      record.type === "session" && record.status !== "running" ? [record.runKey] : [],
    ),
  );
  const session = assemble(records).find((one) => one.session_id === sessionId);
  return (session?.conversations ?? []).flatMap(({ trace_id, span_id, status, steps }) => {
    const isOpen =
      (status === "running" && open.has(`${trace_id}/${span_id}`)) ||
      steps.some((step) => step.status === "running" && open.has(`${trace_id}/${step.span_id}`));
    const key = `${trace_id}/${span_id}`;
    return isOpen && !decided.has(key) ? [key] : [];
  });
}

function keyOf({ traceId, spanId }: SpanRecord): string {
  return `${traceId}/${spanId}`;
}
