import type { SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_MODEL,
  OPERATION_CHAT,
} from "@thoughtflow/semconv";
import type { DistinctSpan } from "./distinct-spans.ts";
import { textAttribute } from "./span-node.ts";

/**
 * Calls that name no model have that of the nearest span around them that names one, of the same instrumentation: Codex writes
 * it on the request, and the tokens on what reads the answer.
 */
export function withModels(spans: readonly DistinctSpan[]): readonly DistinctSpan[] {
  if (!spans.some(({ record }) => isNameless(record))) return spans;
  const byId = new Map(spans.map(({ record }) => [keyOf(record, record.spanId), record]));
  return spans.map((span) => {
    const model = isNameless(span.record) ? modelAround(span.record, byId) : undefined;
    if (model === undefined) return span;
    const attributes = { ...span.record.attributes, [ATTR_GEN_AI_REQUEST_MODEL]: model };
    return { ...span, record: { ...span.record, attributes } };
  });
}

function isNameless(record: SpanRecord): boolean {
  return (
    textAttribute(record, ATTR_GEN_AI_OPERATION_NAME) === OPERATION_CHAT &&
    textAttribute(record, ATTR_GEN_AI_REQUEST_MODEL) === undefined &&
    textAttribute(record, ATTR_GEN_AI_RESPONSE_MODEL) === undefined
  );
}

function modelAround(
  { scope, ...call }: SpanRecord,
  byId: ReadonlyMap<string, SpanRecord>,
): string | undefined {
  const seen = new Set<SpanRecord>();
  let { parentSpanId } = call;
  while (parentSpanId !== undefined) {
    const around = byId.get(keyOf(call, parentSpanId));
    if (around === undefined || seen.has(around)) return undefined;
    const model = textAttribute(around, ATTR_GEN_AI_REQUEST_MODEL);
    if (model !== undefined && around.scope.name === scope.name) return model;
    seen.add(around);
    ({ parentSpanId } = around);
  }
  return undefined;
}

function keyOf({ traceId }: Pick<SpanRecord, "traceId">, spanId: string): string {
  return `${traceId}/${spanId}`;
}
