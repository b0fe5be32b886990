import type { SpanRecord } from "@thoughtflow/schema";

/** The n-th span of a trace, of which nothing is told but what `more` says. */
export function plainRecord(n: number, more: Partial<SpanRecord> = {}): SpanRecord {
  return {
    type: "span_end",
    traceId: "1".repeat(32),
    spanId: n.toString(16).padStart(16, "0"),
    name: "step",
    kind: "internal",
    startTimeUnixNano: "1",
    endTimeUnixNano: "2",
    status: { code: "unset" },
    attributes: {},
    events: [],
    links: [],
    scope: { name: "test" },
    resource: {},
    ...more,
  };
}
