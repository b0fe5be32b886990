import type { SpanRecord } from "@thoughtflow/schema";
import { ATTR_GEN_AI_RESPONSE_ID, ATTR_THOUGHTFLOW_OUTER_SPAN_ID } from "@thoughtflow/semconv";
import { createRecentKeys } from "./recent-keys.ts";

/** Some 300 bytes each. */
const MOST_CALLS = 50_000;

/**
 * Tells the model calls that were not counted yet. A span that comes again is none; neither is one in which, or in whose
 * direct parent, the same call was counted, nor another instrumentation's with the same response: two layers tell of one call.
 */
export function createCountedCalls(limit: number = MOST_CALLS): (call: SpanRecord) => boolean {
  const counted = createRecentKeys(limit);
  const around = createRecentKeys(limit);
  const answered = createRecentKeys(limit);

  return (call) => {
    const { traceId, spanId, parentSpanId, attributes } = call;
    const key = `${traceId}/${spanId}`;
    const outer = `${traceId}/${attributes[ATTR_THOUGHTFLOW_OUTER_SPAN_ID] ?? parentSpanId}`;
    const id = attributes[ATTR_GEN_AI_RESPONSE_ID];
    const answer = `${traceId}/${id}`;
    const isTold = counted.has(key) || around.has(key) || counted.has(outer);
    if (isTold || (id !== undefined && answered.has(answer))) return false;
    counted.add(key);
    around.add(outer);
    if (id !== undefined) answered.add(answer);
    return true;
  };
}
