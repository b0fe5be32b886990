import type { SpanRecord } from "@thoughtflow/schema";
import { ATTR_GEN_AI_RESPONSE_ID, ATTR_THOUGHTFLOW_OUTER_SPAN_ID } from "@thoughtflow/semconv";

/** Some 300 bytes each. */
const MOST_CALLS = 50_000;
/** A tenth goes at once: a map that loses one entry at its front for each new one gets slow. */
const KEPT = 0.9;

/** What an id of a trace stands for. */
const COUNTED = 1;
const AROUND = 2;
const ANSWERED = 4;

/** Of one trace: its ids, and what each of them stands for. */
interface CountedTrace {
  readonly ids: Map<string, number>;
  calls: number;
}

/**
 * Tells the model calls that were not counted yet, as far as their traces are among the latest. A span that comes again is none; neither
 * is one in which, or in whose direct parent, the same call was counted, nor another instrumentation's with the same response: two
 * layers tell of one call.
 */
export function createCountedCalls(limit: number = MOST_CALLS): (call: SpanRecord) => boolean {
  const traces = new Map<string, CountedTrace>();
  let calls = 0;

  function makeRoom(): void {
    for (const [traceId, { calls: ofTrace }] of traces) {
      if (calls <= KEPT * limit) break;
      traces.delete(traceId);
      calls -= ofTrace;
    }
  }

  /** Of traces the one with the latest call goes last. */
  function latest(traceId: string): CountedTrace {
    if (calls >= limit) makeRoom();
    const trace = traces.get(traceId) ?? { ids: new Map(), calls: 0 };
    traces.delete(traceId);
    traces.set(traceId, trace);
    return trace;
  }

  return ({ traceId, spanId, parentSpanId = "", attributes }) => {
    const outerSpan = attributes[ATTR_THOUGHTFLOW_OUTER_SPAN_ID];
    const outer = outerSpan === undefined ? parentSpanId : String(outerSpan);
    const id = attributes[ATTR_GEN_AI_RESPONSE_ID];
    const answer = id === undefined ? undefined : String(id);
    const known = traces.get(traceId)?.ids;
    const standsFor = (one: string, what: number): boolean =>
      known !== undefined && ((known.get(one) ?? 0) & what) !== 0;
    if (standsFor(spanId, COUNTED | AROUND) || standsFor(outer, COUNTED)) return false;
    if (answer !== undefined && standsFor(answer, ANSWERED)) return false;
    const trace = latest(traceId);
    const { ids } = trace;
    const mark = (one: string, what: number): void => void ids.set(one, (ids.get(one) ?? 0) | what);
    mark(spanId, COUNTED);
    mark(outer, AROUND);
    if (answer !== undefined) mark(answer, ANSWERED);
    trace.calls += 1;
    calls += 1;
    return true;
  };
}
