import type { SpanRecord } from "@thoughtflow/schema";

/** So many sessions take turns. */
export const SESSIONS = 5;

/** The n-th span: of a tool that looks, each in a trace and session that every fifth shares. */
export function spanOf(n: number): SpanRecord {
  return {
    type: "span_end",
    traceId: String(1 + (n % SESSIONS)).repeat(32),
    spanId: n.toString(16).padStart(16, "0"),
    name: "execute_tool look",
    kind: "internal",
    startTimeUnixNano: `${1_795_183_471_000 + n}000000`,
    endTimeUnixNano: `${1_795_183_472_000 + n}000000`,
    status: { code: "unset" },
    attributes: { "session.id": `s${n % SESSIONS}`, "gen_ai.operation.name": "execute_tool" },
    content: { "gen_ai.tool.call.result": JSON.stringify(`result ${n}`) },
    events: [],
    links: [],
    scope: { name: "test" },
    resource: {},
  };
}
