/** Spans of a session. */
export interface Waiting {
  bytes: number;
  spans: number;
}

/** What is known of a trace whose spans came over the wire. */
export interface ReceivedTrace {
  readonly traceId: string;
  /** The first that a span of it named. */
  sessionId: string | undefined;
  /** Whether any span of it says something of an agent: others leave no file. */
  isFlow: boolean;
  /** Of the session that is named after the trace, what is in the journal and was not told to the writer of files. */
  unnamedBytes: number;
  unnamedSpans: number;
  /** The same of other sessions, by name. */
  waiting: Map<string, Waiting> | undefined;
  /** The sessions whose files it is in. */
  written: Set<string> | undefined;
}

/** The session of a trace in which nobody names one. */
export function nameOfTrace(traceId: string): string {
  return `s_${traceId}`;
}

/** Takes note of spans of a session that are in the journal. */
export function addWaiting(
  trace: ReceivedTrace,
  sessionId: string,
  { bytes, spans }: Readonly<Waiting>,
): void {
  if (sessionId === nameOfTrace(trace.traceId)) {
    trace.unnamedBytes += bytes;
    trace.unnamedSpans += spans;
    return;
  }
  trace.waiting ??= new Map();
  const waiting = trace.waiting.get(sessionId);
  if (waiting === undefined) trace.waiting.set(sessionId, { bytes, spans });
  else {
    waiting.bytes += bytes;
    waiting.spans += spans;
  }
}

/** All that waits, by session: from then on nothing does. */
export function takeWaiting(trace: ReceivedTrace): ReadonlyMap<string, Readonly<Waiting>> {
  const { waiting = new Map<string, Waiting>(), unnamedBytes: bytes, unnamedSpans: spans } = trace;
  if (spans > 0) waiting.set(nameOfTrace(trace.traceId), { bytes, spans });
  trace.waiting = undefined;
  trace.unnamedBytes = 0;
  trace.unnamedSpans = 0;
  return waiting;
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
        unnamedBytes: 0,
        unnamedSpans: 0,
        waiting: undefined,
        written: undefined,
      };
      traces.set(traceId, trace);
      return trace;
    },
  };
}
