import type { SpanRecord } from "@thoughtflow/schema";
import type { SpanAttributes } from "./attribute-value.ts";
import { IS_REMOTE, spanKind } from "./span-fields.ts";

/** What a span says, in OTLP's words; what it doesn't say is empty or 0. */
export type SpanFields = Required<
  Omit<SpanRecord, "type" | "kind" | "attributes" | "content" | "parentIsRemote">
> & {
  readonly flags: number;
  /** Its number in OTLP. */
  readonly kind: number;
  readonly said: SpanAttributes;
};

type Growing = { -readonly [Name in keyof SpanRecord]: SpanRecord[Name] };

/** The record, with what the span says; put together step by step, since a literal with optional parts takes ten times as long. */
export function madeRecord(span: SpanFields): SpanRecord {
  const { traceId, spanId, parentSpanId, flags } = span;
  const { attributes, content } = span.said;
  const record = { type: "span_end", traceId, spanId } as Growing;
  // Some exporters write an id of zeros for none.
  if (/[^0]/.test(parentSpanId)) {
    record.parentSpanId = parentSpanId;
    if ((flags & IS_REMOTE) !== 0) record.parentIsRemote = true;
  }
  record.name = span.name;
  record.kind = spanKind(span.kind);
  record.startTimeUnixNano = span.startTimeUnixNano;
  record.endTimeUnixNano = span.endTimeUnixNano;
  record.status = span.status;
  record.attributes = attributes;
  if (content !== undefined) record.content = content;
  record.events = span.events;
  record.links = span.links;
  if (span.droppedAttributesCount > 0) record.droppedAttributesCount = span.droppedAttributesCount;
  if (span.droppedEventsCount > 0) record.droppedEventsCount = span.droppedEventsCount;
  if (span.droppedLinksCount > 0) record.droppedLinksCount = span.droppedLinksCount;
  record.scope = span.scope;
  record.resource = span.resource;
  return record;
}
