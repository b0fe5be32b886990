import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import type { OpenSpan } from "./open-spans.ts";

/** What is known of a trace while spans of it are open; of a flow's trace also after that, for what comes late. */
export interface LiveTrace {
  readonly traceId: string;
  /** By span id. A map of weakly held spans would cost every span of the app several times as much. */
  readonly open: Map<string, OpenSpan>;
  openRoots: number;
  /** Spans of it that ended and that nobody has looked at: reading them is for later. */
  readonly unread: ReadableSpan[];
  sessionId: string | undefined;
  /** The sessions that its records went to, each once: mostly one. */
  readonly sessions: string[];
  /**
   * Whether any span of it says something of an agent. Until one does, those that ended wait here as they are: a
   * server's ordinary requests are no sessions, and cost no records.
   */
  isFlow: boolean;
  readonly pending: ReadableSpan[];
  /** How many could not wait. */
  overflow: number;
  /** The roots of the runs in which the app let spans go without ending them. */
  readonly leaking: Set<string>;
  /** When a span of it last started or ended; milliseconds, monotonic. */
  lastMs: number;
  /** It was said that nothing happens in it, and nothing did since. */
  isStalled: boolean;
}

/** At most this many spans of one trace wait to learn whether they belong to a flow. */
export const MAX_PENDING = 1_000;

/** The traces that are alive, by id. Above `limit` the oldest are forgotten, but for those with spans that are open or not read yet. */
export interface LiveTraces {
  get(traceId: string): LiveTrace | undefined;
  getOrCreate(traceId: string): LiveTrace;
  values(): Iterable<LiveTrace>;
  /** Forgets a trace that nothing keeps any more. */
  delete(traceId: string): void;
}

/**
 * An account of the traces of this process that may still grow; beyond `limit` of them, default 10,000, room is made.
 */
export function createLiveTraces(limit = 10_000): LiveTraces {
  const traces = new Map<string, LiveTrace>();
  let most = limit;
  return {
    get: (traceId) => traces.get(traceId),
    getOrCreate(traceId) {
      const known = traces.get(traceId);
      if (known !== undefined) return known;
      if (traces.size >= most) makeRoom();
      const trace: LiveTrace = {
        traceId,
        open: new Map(),
        openRoots: 0,
        unread: [],
        sessionId: undefined,
        sessions: [],
        isFlow: false,
        pending: [],
        overflow: 0,
        leaking: new Set(),
        lastMs: 0,
        isStalled: false,
      };
      traces.set(traceId, trace);
      return trace;
    },
    values: () => traces.values(),
    delete: (traceId) => traces.delete(traceId),
  };

  /** A tenth at once: a map that loses one entry at its front for each new one gets slow. */
  function makeRoom(): void {
    for (const [traceId, { open, unread }] of traces) {
      if (traces.size <= 0.9 * limit) break;
      if (open.size === 0 && unread.length === 0) traces.delete(traceId);
    }
    most = traces.size > 0.9 * limit ? Math.max(limit, 1.25 * traces.size) : limit;
  }
}
