import { createHash } from "node:crypto";
import type { Run, Session, Step } from "@thoughtflow/schema";

/** A span's ids. */
export interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
}

/** Where each run and each step of a document goes. */
export interface SpanPlaces {
  readonly ofRun: ReadonlyMap<Run, SpanPlace>;
  readonly ofStep: ReadonlyMap<Step, SpanPlace>;
}

const TRACE_ID = /^(?!0+$)[0-9a-f]{32}$/;
const SPAN_ID = /^(?!0+$)[0-9a-f]{16}$/;

/** The document's own ids, each given once, recorded steps first: a derived one names the span that it was read from. */
export function spanPlaces({ session_id: id, conversations }: Session): SpanPlaces {
  const ofRun = new Map<Run, SpanPlace>();
  const ofStep = new Map<Step, SpanPlace>();
  const taken = new Set<string>();
  const claimed = (
    traceId: string | undefined,
    spanId: string | undefined,
  ): SpanPlace | undefined => {
    if (traceId === undefined || spanId === undefined) return undefined;
    if (!TRACE_ID.test(traceId) || !SPAN_ID.test(spanId)) return undefined;
    const key = `${traceId}/${spanId}`;
    if (taken.has(key)) return undefined;
    taken.add(key);
    return { traceId, spanId };
  };
  for (const run of conversations) {
    for (const step of run.steps) {
      if (step.origin === "derived") continue;
      const place = claimed(step.trace_id, step.span_id);
      if (place !== undefined) ofStep.set(step, place);
    }
  }
  for (const [at, run] of conversations.entries()) {
    const root = run.steps.find((step) => {
      const place = ofStep.get(step);
      return place !== undefined && place.spanId === run.span_id && place.traceId === run.trace_id;
    });
    const own = (root && ofStep.get(root)) ?? claimed(run.trace_id, run.span_id);
    const traceId = TRACE_ID.test(run.trace_id ?? "")
      ? String(run.trace_id)
      : hashedId(32, id, String(at));
    const runPlace = own ?? { traceId, spanId: hashedId(16, id, String(at)) };
    ofRun.set(run, runPlace);
    for (const [number, step] of run.steps.entries()) {
      if (ofStep.has(step)) continue;
      const spanId = hashedId(16, id, String(at), String(number));
      ofStep.set(step, { traceId: runPlace.traceId, spanId });
    }
  }
  return { ofRun, ofStep };
}

/** An id of so many hex digits, the same for the same words. */
export function hashedId(digits: number, ...words: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify(words)).digest("hex").slice(0, digits);
  return /[^0]/.test(hash) ? hash : "1".padStart(digits, "0");
}
