import type { SpanRecord } from "@thoughtflow/schema";

/** A span that has not ended. */
export interface OpenSpan {
  /** Children inherit it. */
  readonly runId: string;
  /** Whether it has no parent in this process. */
  readonly isRoot: boolean;
}

/** What is known of a trace while spans of it are open; of a flow's trace also after that, for what comes late. */
export interface LiveTrace {
  readonly traceId: string;
  /** By span id. */
  readonly open: Map<string, OpenSpan>;
  openRoots: number;
  sessionId: string | undefined;
  /** The sessions that its records went to, each once: mostly one. */
  readonly sessions: string[];
  /**
   * Whether any span of it says something of an agent. Until one does, its records wait here: a server's
   * ordinary requests are no sessions.
   */
  isFlow: boolean;
  pending: SpanRecord[];
}

/** At most this many records of one trace wait to learn whether they belong to a flow. */
export const MAX_PENDING = 1_000;

/** The traces that are alive, by id; the ones longest untouched are forgotten above `limit`. */
export interface LiveTraces {
  get(traceId: string): LiveTrace | undefined;
  getOrCreate(traceId: string): LiveTrace;
  values(): Iterable<LiveTrace>;
  /** Forgets a trace that nothing keeps any more. */
  delete(traceId: string): void;
}

export function createLiveTraces(limit = 10_000): LiveTraces {
  const traces = new Map<string, LiveTrace>();
  return {
    get: (traceId) => traces.get(traceId),
    getOrCreate(traceId) {
      const known = traces.get(traceId);
      if (known !== undefined) return known;
      if (traces.size >= limit) makeRoom();
      const trace: LiveTrace = {
        traceId,
        open: new Map(),
        openRoots: 0,
        sessionId: undefined,
        sessions: [],
        isFlow: false,
        pending: [],
      };
      traces.set(traceId, trace);
      return trace;
    },
    values: () => traces.values(),
    delete: (traceId) => traces.delete(traceId),
  };

  /** A tenth at once: a map that loses one entry at its front for each new one gets slow. */
  function makeRoom(): void {
    let excess = traces.size - 0.9 * limit;
    for (const idleOnly of [true, false]) {
      for (const [traceId, { open }] of traces) {
        if (excess <= 0) return;
        if (idleOnly && open.size > 0) continue;
        traces.delete(traceId);
        excess--;
      }
    }
  }
}
