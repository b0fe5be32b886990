/** What is known of a trace whose spans came over the wire. */
export interface ReceivedTrace {
  readonly traceId: string;
  /** The first that a span of it named. */
  sessionId: string | undefined;
  /** Whether any span of it says something of an agent: others leave no file. */
  isFlow: boolean;
  /** By session: bytes that are in the journal and were not told to the writer of files. */
  waiting: Map<string, number> | undefined;
  /** The sessions whose files it is in. */
  written: Set<string> | undefined;
}

/** The latest traces, by id. */
export interface ReceivedTraces {
  get(traceId: string): ReceivedTrace | undefined;
  add(traceId: string): ReceivedTrace;
}

/** Some 300 bytes each. What was forgotten is found in the files that it is in, if it names its session. */
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
        waiting: undefined,
        written: undefined,
      };
      traces.set(traceId, trace);
      return trace;
    },
  };
}
