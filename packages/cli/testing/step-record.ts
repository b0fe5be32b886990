import type { FlowRecord } from "@thoughtflow/schema";

/** A tool call of a session: ended, or still open. */
export function stepRecord(
  type: "span_start" | "span_end",
  session: string,
  id: string,
  more: Partial<FlowRecord> = {},
): FlowRecord {
  return {
    type,
    traceId: "a".repeat(32),
    spanId: Buffer.from(id).toString("hex").padStart(16, "0").slice(-16),
    name: "step",
    kind: "internal",
    startTimeUnixNano: "1700000000000000000",
    ...(type === "span_end" && { endTimeUnixNano: "1700000001000000000" }),
    status: { code: "unset" },
    attributes: {
      "session.id": session,
      "thoughtflow.step.id": id,
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "look",
    },
    events: [],
    links: [],
    scope: { name: "test" },
    resource: {},
    ...more,
  } as FlowRecord;
}
