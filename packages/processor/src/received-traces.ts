/** What is known of a trace whose spans came over the wire. */
export interface ReceivedTrace {
  readonly traceId: string;
  /** The first that a span of it named. */
  sessionId: string | undefined;
  /** Whether any span of it says something of an agent: others leave no file. */
  isFlow: boolean;
  /** Bytes of the session that is named after the trace that are in the journal and were not told to the writer of files. */
  waitingUnnamed: number;
  /** The same of other sessions, by name. */
  waiting: Map<string, number> | undefined;
  /** The sessions whose files it is in. */
  written: Set<string> | undefined;
}

/** The session of a trace in which nobody names one. */
export function nameOfTrace(traceId: string): string {
  return `s_${traceId}`;
}

/** Takes note of bytes of a session that are in the journal. */
export function addWaiting(trace: ReceivedTrace, sessionId: string, bytes: number): void {
  if (sessionId === nameOfTrace(trace.traceId)) trace.waitingUnnamed += bytes;
  else {
    trace.waiting ??= new Map();
    trace.waiting.set(sessionId, (trace.waiting.get(sessionId) ?? 0) + bytes);
  }
}

/** All that waits, by session: from then on nothing does. */
export function takeWaiting(trace: ReceivedTrace): ReadonlyMap<string, number> {
  const all = trace.waiting ?? new Map<string, number>();
  if (trace.waitingUnnamed > 0) all.set(nameOfTrace(trace.traceId), trace.waitingUnnamed);
  trace.waiting = undefined;
  trace.waitingUnnamed = 0;
  return all;
}

/** The latest traces, by id. */
export interface ReceivedTraces {
  get(traceId: string): ReceivedTrace | undefined;
  add(traceId: string): ReceivedTrace;
}

/** Some 150 bytes each, while nothing of them waits for a session that has a name. What was forgotten is found in the files that it is in, if it names its session. */
const MOST_TRACES = 100_000;
/** A tenth at once: a map that loses one entry at its front for each new one gets slow. */
const KEPT = 0.9;

export function createReceivedTraces(limit: number = MOST_TRACES): ReceivedTraces {
  const traces = new Map<string, ReceivedTrace>();

  function makeRoom(): void {
    for (const traceId of traces.keys()) {
      if (traces.size <= KEPT * limit) return;
      traces.delete(traceId);
    }
  }

  return {
    get: (traceId) => traces.get(traceId),
    add(traceId) {
      if (traces.size >= limit) makeRoom();
      const trace: ReceivedTrace = {
        traceId,
        sessionId: undefined,
        isFlow: false,
        waitingUnnamed: 0,
        waiting: undefined,
        written: undefined,
      };
      traces.set(traceId, trace);
      return trace;
    },
  };
}
