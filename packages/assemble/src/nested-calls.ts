import { ATTR_THOUGHTFLOW_OUTER_SPAN_ID } from "@thoughtflow/semconv";
import { textAttribute } from "./span-node.ts";
import type { StepDraft } from "./step-draft.ts";

/**
 * Counts what two instrumentations report of one model call once: where the inner span knows its tokens, those and their
 * cost are the call's, else the outer span's.
 *
 * @returns the steps of the outer spans, which tell nothing that the inner ones don't
 */
export function countOnce(recorded: readonly StepDraft[]): ReadonlySet<StepDraft> {
  const outerSteps = new Set<StepDraft>();
  for (const step of recorded)
    step.outerSpanId = textAttribute(step.span.record, ATTR_THOUGHTFLOW_OUTER_SPAN_ID);
  const nested = recorded.filter((step) => step.outerSpanId !== undefined);
  if (nested.length === 0) return outerSteps;
  const bySpan = new Map(recorded.map((step) => [keyOf(step, step.span.record.spanId), step]));
  for (const inner of nested) {
    const { outerSpanId = "" } = inner;
    const outer = bySpan.get(keyOf(inner, outerSpanId));
    if (outer === undefined) continue;
    outerSteps.add(outer);
    const counted = inner.usage === undefined && outer.usage !== undefined ? outer : inner;
    const other = counted === outer ? inner : outer;
    other.usage = undefined;
    other.cost = undefined;
  }
  return outerSteps;
}

function keyOf({ span }: StepDraft, spanId: string): string {
  return `${span.record.traceId}/${spanId}`;
}
