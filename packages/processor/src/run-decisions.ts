import type { SessionRecord } from "@thoughtflow/schema";
import type { LiveTrace, LiveTraces } from "./live-traces.ts";
import { wallNanoseconds } from "./wall-clock.ts";

/**
 * What no span says but the process that watches them decides, once, with its reason: that a run was abandoned, that it
 * hangs, that a session is over. Each becomes a record of the session, so that no reader needs a clock.
 */
export interface RunDecisions {
  /** A session got a record. */
  recorded(sessionId: string): void;
  /** The app let the root of a run, or what was below one that is over, go without ending it. */
  neverEnded(trace: LiveTrace, rootSpanId: string): void;
  /** The process ends while runs are open. */
  processEnds(reason: string): void;
  /** To be called now and then: what has been silent for long? */
  lookForSilence(): void;
}

export interface RunDecisionsOptions {
  readonly traces: LiveTraces;
  readonly append: (record: SessionRecord) => void;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

/** An open run in which nothing happens for so long is marked, and nothing more: it may wait for a person. */
const STALLED_AFTER_MS = 10 * 60_000;
/** A session in which nothing is open is over after that. */
const IDLE_AFTER_MS = 30 * 60_000;
/** Each of them is written once more: the others wait for the next look. */
const MOST_AT_ONCE = 1_000;
/** Above that all are forgotten, and stay as their last runs ended. */
const MOST_SESSIONS = 100_000;

export function createRunDecisions({ traces, append, now }: RunDecisionsOptions): RunDecisions {
  /** When each session that is not over got its last record. */
  const sessions = new Map<string, number>();

  function decide(
    sessionId: string,
    decided: Pick<SessionRecord, "runKey" | "status" | "reason">,
  ): void {
    append({ type: "session", sessionId, ...decided, timeUnixNano: wallNanoseconds() });
  }

  function decideRun(
    { isFlow, traceId, sessionId }: LiveTrace,
    rootSpanId: string,
    status: SessionRecord["status"],
    reason: string,
  ): void {
    if (!isFlow) return;
    decide(sessionId ?? `s_${traceId}`, { runKey: `${traceId}/${rootSpanId}`, status, reason });
  }

  /** Of the runs in which something is open. */
  function rootsOf({ open }: LiveTrace): ReadonlySet<string> {
    return new Set([...open.values()].map(({ rootSpanId }) => rootSpanId));
  }

  function markStalled(): void {
    const since = now() - STALLED_AFTER_MS;
    for (const trace of traces.values()) {
      if (trace.isStalled || trace.open.size === 0 || trace.lastMs > since) continue;
      trace.isStalled = true;
      for (const root of rootsOf(trace)) decideRun(trace, root, "running", "stalled");
    }
  }

  function finaliseIdle(): void {
    const since = now() - IDLE_AFTER_MS;
    const busy = new Set<string>();
    for (const { open, sessions: own } of traces.values())
      if (open.size > 0) for (const id of own) busy.add(id);
    let room = MOST_AT_ONCE;
    for (const [id, lastMs] of sessions) {
      if (lastMs > since || busy.has(id)) continue;
      if (room-- === 0) return;
      decide(id, { status: "completed", reason: "idle_timeout" });
      // What it got just now is that word.
      sessions.delete(id);
    }
  }

  return {
    recorded(sessionId) {
      if (sessions.size > MOST_SESSIONS) sessions.clear();
      sessions.set(sessionId, now());
    },
    neverEnded: (trace, rootSpanId) => decideRun(trace, rootSpanId, "abandoned", "never_ended"),
    processEnds(reason) {
      const status = reason === "uncaught_exception" ? "error" : "aborted";
      for (const trace of traces.values())
        for (const root of rootsOf(trace)) decideRun(trace, root, status, reason);
    },
    lookForSilence() {
      markStalled();
      finaliseIdle();
    },
  };
}
