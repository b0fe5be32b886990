import type { SpanRecord } from "@thoughtflow/schema";

/** The n-th tool call of a trace, half a millisecond long. */
export function toolCallRecord(n: number, sessionId: string, result: unknown): SpanRecord {
  return {
    type: "span_end",
    traceId: "1".repeat(32),
    spanId: (n + 1).toString(16).padStart(16, "0"),
    name: `execute_tool ${n}`,
    kind: "internal",
    startTimeUnixNano: String(1_700_000_000_000_000_000n + BigInt(n) * 1_000_000n),
    endTimeUnixNano: String(1_700_000_000_000_500_000n + BigInt(n) * 1_000_000n),
    status: { code: "unset" },
    attributes: { "gen_ai.operation.name": "execute_tool", "session.id": sessionId },
    content: { "gen_ai.tool.call.result": JSON.stringify(result) },
    events: [],
    links: [],
    scope: { name: "test" },
    resource: {},
  };
}
