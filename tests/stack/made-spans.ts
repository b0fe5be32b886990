import { encodeProtobufRequest, spansOfRecords } from "@thoughtflow/otlp";
import type { SpanRecord } from "@thoughtflow/schema";
import { ATTR_GEN_AI_OPERATION_NAME, ATTR_SESSION_ID } from "@thoughtflow/semconv";

/** What a span of another program is made from. */
export interface MadeSpan extends Partial<Omit<SpanRecord, "traceId" | "spanId">> {
  readonly trace: number;
  readonly span: number;
  readonly session: string;
  readonly operation: string;
}

/** A span of a second that ends now: Tempo measures none that ended half a minute ago. */
export function madeSpan(made: MadeSpan): SpanRecord {
  const { trace, span, session, operation, attributes, ...rest } = made;
  const endedMs = Date.now();
  return {
    type: "span_end",
    traceId: trace.toString(16).padStart(32, "0"),
    spanId: span.toString(16).padStart(16, "0"),
    name: operation,
    kind: "internal",
    startTimeUnixNano: `${endedMs - 1000}000000`,
    endTimeUnixNano: `${endedMs}000000`,
    status: { code: "unset" },
    attributes: {
      [ATTR_SESSION_ID]: session,
      [ATTR_GEN_AI_OPERATION_NAME]: operation,
      ...attributes,
    },
    events: [],
    links: [],
    scope: { name: "made" },
    resource: { "service.name": "made" },
    ...rest,
  };
}

/** An OTLP request in protobuf. */
export function requestBody(spans: readonly SpanRecord[]): Buffer<ArrayBuffer> {
  return Buffer.from(encodeProtobufRequest(spansOfRecords(spans)));
}

/** Sends spans as protobuf; again, as any exporter does, until they are taken. */
export async function sendSpans(otlpEndpoint: string, spans: readonly SpanRecord[]): Promise<void> {
  const body = requestBody(spans);
  const headers = { "Content-Type": "application/x-protobuf" };
  for (;;) {
    const response = await fetch(`${otlpEndpoint}/v1/traces`, { method: "POST", headers, body });
    if (response.ok) return;
    if (response.status !== 429 && response.status !== 503)
      throw new Error(`${response.status}: ${await response.text()}`);
  }
}
