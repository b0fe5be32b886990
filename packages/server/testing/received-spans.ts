import { encodeProtobufRequest, spansOfRecords } from "@thoughtflow/otlp";
import type { SpanRecord } from "@thoughtflow/schema";

/** A tool call of session "s", unless something else is said. */
export function toolSpan(n: number, more: Partial<SpanRecord> = {}): SpanRecord {
  return {
    type: "span_end",
    traceId: "1".repeat(32),
    spanId: n.toString(16).padStart(16, "0"),
    name: "execute_tool look",
    kind: "internal",
    startTimeUnixNano: `${1_795_183_471 + n}000000000`,
    endTimeUnixNano: `${1_795_183_472 + n}000000000`,
    status: { code: "unset" },
    attributes: {
      "session.id": "s",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "look",
    },
    content: { "gen_ai.tool.call.result": JSON.stringify(`result ${n}`) },
    events: [],
    links: [],
    scope: { name: "test" },
    resource: { "service.name": "elsewhere" },
    ...more,
  };
}

export function requestOf(...records: readonly SpanRecord[]): Uint8Array {
  return encodeProtobufRequest(spansOfRecords(records));
}
