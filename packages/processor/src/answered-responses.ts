import type { ResponseIndex } from "@thoughtflow/journal";
import type { SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_STATUS,
  ATTR_OPENAI_API_TYPE,
  GEN_AI_USAGE_PREFIX,
  OPERATION_FETCH_RESPONSE,
  THOUGHTFLOW_USAGE_PREFIX,
} from "@thoughtflow/semconv";

/**
 * Takes note of the response that an ended span gave, so that a call in another process can go on from it. One that only
 * fetched it stands for the call that nobody saw.
 */
export function noteResponse(
  record: SpanRecord,
  sessionId: string,
  responses: ResponseIndex,
): void {
  const { attributes, traceId, spanId, type } = record;
  const id = attributes[ATTR_GEN_AI_RESPONSE_ID];
  const isFetch = attributes[ATTR_GEN_AI_OPERATION_NAME] === OPERATION_FETCH_RESPONSE;
  const isGiven = isFetch
    ? attributes[ATTR_GEN_AI_RESPONSE_STATUS] !== undefined
    : attributes[ATTR_OPENAI_API_TYPE] === "responses";
  if (type !== "span_end" || typeof id !== "string" || !isGiven) return;
  const known = isFetch ? responses.find(id) : undefined;
  const place = known ?? { traceId, spanId, sessionId };
  responses.add(id, { ...place, isCounted: known?.isCounted === true || hasUsage(record) });
}

function hasUsage({ attributes }: SpanRecord): boolean {
  return Object.keys(attributes).some(
    (name) => name.startsWith(GEN_AI_USAGE_PREFIX) || name.startsWith(THOUGHTFLOW_USAGE_PREFIX),
  );
}
