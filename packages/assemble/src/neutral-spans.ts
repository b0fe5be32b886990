import { neutralSpan } from "@thoughtflow/dialects/spans";
import type { DistinctSpan } from "./distinct-spans.ts";
import { withModels } from "./models-around.ts";
import { attributeOf } from "./span-node.ts";

/** Spans of all emitters in one set of words. Placeholders of spans that are still open elsewhere are left out. */
export function neutralSpans(spans: readonly DistinctSpan[]): readonly DistinctSpan[] {
  const neutral = spans
    .filter(({ record }) => attributeOf(record, PENDING) !== "pending_span")
    .map((span) => {
      const record = neutralSpan(span.record);
      return record === span.record ? span : { ...span, record };
    });
  return withModels(neutral);
}

/** Logfire tells of a span that starts by a span of its own. */
const PENDING = "logfire.span_type";
