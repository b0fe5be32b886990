import type { OtlpAttributes, OtlpSpan, OtlpSpanContext, OtlpTime } from "./otlp-span.ts";
import { groupSpans } from "./span-groups.ts";
import { integerFits, spanFlags, wholeTime } from "./values.ts";

/**
 * The same request as JSON, in UTF-8: ids in hex, 64-bit integers as texts, bytes in base64.
 * Source: OTLP specification, "JSON Protobuf Encoding".
 */
export function encodeJsonRequest(spans: readonly OtlpSpan[]): Uint8Array {
  const resourceSpans = groupSpans(spans).map(({ resource, scopes }) => ({
    resource: { attributes: keyValues(resource.attributes) },
    scopeSpans: scopes.map(({ scope, spans }) => ({
      scope: {
        name: scope.name,
        version: scope.version,
        attributes: scope.attributes && keyValues(scope.attributes),
        droppedAttributesCount: scope.droppedAttributesCount,
      },
      spans: spans.map(jsonSpan),
      schemaUrl: scope.schemaUrl,
    })),
    schemaUrl: resource.schemaUrl,
  }));
  return Buffer.from(JSON.stringify({ resourceSpans }));
}

function jsonSpan(span: OtlpSpan): object {
  const context = span.spanContext();
  return {
    ...identity(context),
    parentSpanId: span.parentSpanContext?.spanId,
    flags: spanFlags(context.traceFlags, span.parentSpanContext?.isRemote),
    name: span.name,
    kind: span.kind + 1,
    startTimeUnixNano: nanoseconds(span.startTime),
    endTimeUnixNano: nanoseconds(span.endTime),
    attributes: keyValues(span.attributes),
    droppedAttributesCount: span.droppedAttributesCount,
    events: span.events.map(({ name, time, attributes = {}, droppedAttributesCount }) => ({
      name,
      timeUnixNano: nanoseconds(time),
      attributes: keyValues(attributes),
      droppedAttributesCount,
    })),
    droppedEventsCount: span.droppedEventsCount,
    links: span.links.map(({ context, attributes = {}, droppedAttributesCount }) => ({
      ...identity(context),
      flags: spanFlags(context.traceFlags, context.isRemote),
      attributes: keyValues(attributes),
      droppedAttributesCount,
    })),
    droppedLinksCount: span.droppedLinksCount,
    status: { code: span.status.code, message: span.status.message },
  };
}

function identity(context: OtlpSpanContext): object {
  const { traceId, spanId, traceState } = context;
  return { traceId, spanId, traceState: traceState?.serialize() };
}

function keyValues(attributes: OtlpAttributes): readonly object[] {
  return Object.keys(attributes).map((key) => ({ key, value: anyValue(attributes[key]) }));
}

function anyValue(value: unknown): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return { boolValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: Array.from(value, anyValue) } };
  if (value instanceof Uint8Array) return { bytesValue: Buffer.from(value).toString("base64") };
  if (typeof value !== "object" || value === null) return {};
  return { kvlistValue: { values: keyValues(value as OtlpAttributes) } };
}

function number(value: number): object {
  if (integerFits(value)) return { intValue: String(BigInt(value)) };
  // JSON has no word for NaN and the infinities, protobuf's JSON takes them as texts.
  return { doubleValue: Number.isFinite(value) ? value : String(value) };
}

function nanoseconds(time: OtlpTime): string {
  const [seconds, nanoseconds] = wholeTime(time);
  return String(BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds));
}
