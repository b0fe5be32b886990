import { assemble } from "@thoughtflow/assemble";
import {
  createJournalReader,
  type EncodedSpans,
  type FileSystem,
  type JournalCounters,
  type JournalReader,
  openJournal,
  realFileSystem,
} from "@thoughtflow/journal";
import type { ScannedRequest, ScannedSpan } from "@thoughtflow/otlp";
import { createByteRoom } from "./byte-room.ts";
import { createLull } from "./lull.ts";
import {
  addWaiting,
  createReceivedTraces,
  nameOfTrace,
  type ReceivedTrace,
  takeWaiting,
} from "./received-traces.ts";
import { createRecovering } from "./recovering.ts";
import { createSessionWriter, type SessionCounters } from "./session-writer.ts";
import { stayAliveFor } from "./stay-alive.ts";

export interface FlowIntakeOptions {
  readonly dir: string;
  /** Bytes that the flow directory may take. Default 10 GiB. */
  readonly maxBytes?: number;
  /** Hears of every failed write; the process goes on. */
  readonly onFailure?: (problem: unknown, what: string) => void;
  readonly fs?: FileSystem;
  /** Milliseconds, monotonic. */
  readonly now?: () => number;
}

/** What became of a request: its spans are in the journal; too much waits; it would take too much there; or the journal can't be written. */
export type TakenAs = "kept" | "full" | "too long" | "failed";

/** What an intake did so far. */
export interface IntakeCounters {
  readonly spans: number;
  /** Of traces in which no span speaks of an agent so far: they are in the journal and in no document. */
  readonly spansOfNoFlow: number;
  readonly journal: JournalCounters;
  readonly sessions: SessionCounters;
}

/** Takes ended spans that came over the wire. */
export interface SpanIntake {
  /** Resolves when the spans are durable, or can't be. */
  take(request: ScannedRequest): Promise<TakenAs>;
  /** Takes note of spans that could not be taken, by what is wrong with them: `doctor` tells of it. */
  rejected?(code: string, spans: number): void;
  /** Writes what is still to be written. */
  flush(): Promise<void>;
  /** The same at once, for the end of a process. */
  closeSync(): void;
  /** Where there is no journal and no file is written, there are no counts of them. */
  readonly counters: Pick<IntakeCounters, "spans"> & Partial<IntakeCounters>;
}

/**
 * Keeps one flow directory: journal first, as the spans are, then the same files as those of the process that made
 * them.
 */
export interface FlowIntake extends SpanIntake {
  readonly counters: IntakeCounters;
}

const MOST_BYTES = 10 * 2 ** 30;
/** Of requests whose frames are made and not written yet: the others wait as they came, and not twice in memory. */
const MOST_FRAMED_BYTES = 8 * 2 ** 20;
/** The spans of each trace take their resource along: what a request may grow by in the journal. A resource of megabytes would take it thousands of times. */
const MOST_REPEATED_BYTES = 64 * 2 ** 20;
/** A trace may have begun before this process did, and told its session there. */
const EARLIER_MS = 3_600_000;

export function createFlowIntake({
  dir,
  maxBytes = MOST_BYTES,
  onFailure = () => {},
  fs = realFileSystem,
  now = () => performance.now(),
}: FlowIntakeOptions): FlowIntake {
  const journal = openJournal({
    dir,
    onFailure: (code, error) => onFailure(error ?? code, "the journal"),
    state: () => ({ ...sessions.counters, rejected_spans: rejectedSpans }),
    fs,
  });
  /** Requests are taken first: files are made between them. */
  const lull = createLull(now);
  const sessions = createSessionWriter({
    dir,
    journal,
    now,
    onFailure,
    fs,
    sharesTraces: true,
    lull: lull.come,
  });
  const recovery = createRecovering({ dir, journal, sessions, maxBytes, onFailure });
  const traces = createReceivedTraces();
  const room = createByteRoom(MOST_FRAMED_BYTES);
  let earlier: JournalReader | undefined;
  const rejectedSpans: Record<string, number> = {};
  let spans = 0;
  let spansOfNoFlow = 0;

  /** The journals that earlier processes left lately, as they were when this one first looked. */
  function earlierRecords(): JournalReader {
    if (earlier === undefined) {
      earlier = createJournalReader(dir, {
        filter: (writer) => writer !== journal.writer,
        sinceMs: Date.now() - EARLIER_MS,
        textsStay: true,
        fs,
      });
      earlier.refreshSync();
    }
    return earlier;
  }

  function sessionToldEarlier(traceId: string): { sessionId: string | undefined } | undefined {
    const records = earlierRecords().recordsOfTraces([traceId]);
    if (records.length === 0) return undefined;
    return { sessionId: assemble(records)[0]?.session_id };
  }

  function traceOf(traceId: string): ReceivedTrace {
    const known = traces.get(traceId);
    if (known !== undefined) return known;
    const trace = traces.add(traceId);
    const told = sessionToldEarlier(traceId);
    if (told?.sessionId !== undefined) {
      trace.isFlow = true;
      if (told.sessionId === nameOfTrace(traceId)) trace.written = new Set([told.sessionId]);
      else trace.sessionId = told.sessionId;
    }
    return trace;
  }

  /** By trace and session, in the order of the request. */
  function grouped(request: ScannedRequest): readonly SpanGroup[] {
    for (const span of request.spans) {
      const trace = traceOf(span.traceId);
      trace.isFlow ||= span.isFlow;
      trace.sessionId ??= span.sessionId;
    }
    const groups: (SpanGroup & { readonly spans: ScannedSpan[] })[] = [];
    const known = new Map<ReceivedTrace, Map<string, ScannedSpan[]>>();
    for (const span of request.spans) {
      const trace = traceOf(span.traceId);
      const sessionId = span.sessionId ?? trace.sessionId ?? nameOfTrace(span.traceId);
      const ofTrace = known.get(trace) ?? new Map<string, ScannedSpan[]>();
      if (ofTrace.size === 0) known.set(trace, ofTrace);
      const spans = ofTrace.get(sessionId);
      if (spans !== undefined) spans.push(span);
      else {
        const first = [span];
        ofTrace.set(sessionId, first);
        groups.push({ trace, sessionId, spans: first });
      }
    }
    return groups;
  }

  /** What is on disk now goes to the sessions whose files it belongs in. */
  function recorded({ trace, sessionId, spans: taken }: SpanGroup, bytes: number): void {
    addWaiting(trace, sessionId, { bytes, spans: taken.length });
    if (!trace.isFlow) {
      spansOfNoFlow += taken.length;
      return;
    }
    trace.written ??= new Set();
    const { written } = trace;
    const own = nameOfTrace(trace.traceId);
    const hasMoved = trace.sessionId !== undefined && written.has(own);
    for (const [id, waiting] of takeWaiting(trace)) {
      sessions.recorded(id, waiting.bytes, waiting.spans);
      sessions.runEnded(id);
      written.add(id);
    }
    if (!hasMoved) return;
    written.delete(own);
    sessions.moved(own);
  }

  async function keep(request: ScannedRequest): Promise<TakenAs> {
    const groups = grouped(request);
    const encoded = groups.map(
      ({ trace, sessionId, spans: some }): EncodedSpans => ({
        traceId: trace.traceId,
        sessionId,
        count: some.length,
        request: request.requestOf(some),
      }),
    );
    const bytes = encoded.reduce((sum, { request: { length } }) => sum + length, 0);
    if (bytes > request.length + MOST_REPEATED_BYTES) return "too long";
    if (!journal.appendSpans(encoded)) return "full";
    if (!(await journal.commit())) return "failed";
    spans += request.spans.length;
    for (const [index, group] of groups.entries())
      recorded(group, encoded[index]?.request.length ?? 0);
    return "kept";
  }

  return {
    async take(request) {
      lull.busy();
      await room.enter(request.length);
      try {
        return await keep(request);
      } finally {
        room.leave(request.length);
      }
    },
    rejected(code, count) {
      rejectedSpans[code] = (rejectedSpans[code] ?? 0) + count;
    },
    flush() {
      lull.end();
      return stayAliveFor(sessions.flush());
    },
    closeSync() {
      journal.flushSync();
      sessions.flushSync();
      recovery.finishSync();
      journal.flushSync();
      if (sessions.isSettled) journal.settleSync();
      journal.closeSync();
    },
    counters: {
      get spans() {
        return spans;
      },
      get spansOfNoFlow() {
        return spansOfNoFlow;
      },
      journal: journal.counters,
      sessions: sessions.counters,
    },
  };
}

interface SpanGroup {
  readonly trace: ReceivedTrace;
  readonly sessionId: string;
  readonly spans: readonly ScannedSpan[];
}
