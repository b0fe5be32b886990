import {
  bytes,
  finishMessage,
  fixed32,
  fixed64,
  float64,
  hex,
  mark,
  name,
  negativeVarint,
  nested,
  startMessage,
  text,
  varint,
} from "./backward-writer.ts";
import type {
  OtlpAttributes,
  OtlpScope,
  OtlpSpan,
  OtlpSpanContext,
  OtlpTime,
} from "./otlp-span.ts";
import { groupSpans } from "./span-groups.ts";
import { integerFits, spanFlags, wholeTime } from "./values.ts";

/**
 * An `ExportTraceServiceRequest` in protobuf. Fields that hold their defaults are left out, a span's order is kept.
 * Throws only what a getter among the attributes throws.
 *
 * Tags are `field number * 8 + wire type`; fields stand here from the last to the first, because the writer goes
 * backwards. Source: opentelemetry-proto 1.10, trace.proto and common.proto.
 */
export function encodeProtobufRequest(spans: readonly OtlpSpan[]): Uint8Array {
  startMessage();
  for (const { resource, scopes } of groupSpans(spans).toReversed()) {
    const resourceSpans = mark();
    if (resource.schemaUrl) text(26, resource.schemaUrl);
    for (const { scope, spans } of scopes.toReversed()) {
      const scopeSpans = mark();
      if (scope.schemaUrl) text(26, scope.schemaUrl);
      for (let index = spans.length - 1; index >= 0; index -= 1) span(spans[index] as OtlpSpan);
      instrumentationScope(scope);
      nested(scopeSpans, 18);
    }
    const end = mark();
    attributes(10, resource.attributes);
    nested(end, 10);
    nested(resourceSpans, 10);
  }
  return finishMessage();
}

function instrumentationScope(scope: OtlpScope): void {
  const end = mark();
  if (scope.droppedAttributesCount) varint(32, scope.droppedAttributesCount);
  if (scope.attributes !== undefined) attributes(26, scope.attributes);
  if (scope.version) name(18, scope.version);
  name(10, scope.name);
  nested(end, 10);
}

function span(one: OtlpSpan): void {
  const end = mark();
  const context = one.spanContext();
  const { parentSpanContext: parent, links, events } = one;
  fixed32(spanFlags(context.traceFlags, parent?.isRemote), 0x85, 0x01);
  status(one.status);
  if (one.droppedLinksCount) varint(112, one.droppedLinksCount);
  for (let index = links.length - 1; index >= 0; index -= 1) link(links[index] as Link);
  if (one.droppedEventsCount) varint(96, one.droppedEventsCount);
  for (let index = events.length - 1; index >= 0; index -= 1) event(events[index] as Event);
  if (one.droppedAttributesCount) varint(80, one.droppedAttributesCount);
  attributes(74, one.attributes);
  time(65, one.endTime);
  time(57, one.startTime);
  varint(48, one.kind + 1);
  text(42, one.name);
  if (parent?.spanId) hex(34, parent.spanId);
  identity(context);
  nested(end, 18);
}

type Link = OtlpSpan["links"][number];

function link({ context, attributes: said, droppedAttributesCount }: Link): void {
  const end = mark();
  fixed32(spanFlags(context.traceFlags, context.isRemote), 0x35, 0);
  if (droppedAttributesCount) varint(40, droppedAttributesCount);
  if (said !== undefined) attributes(34, said);
  identity(context);
  nested(end, 106);
}

/** Span and link begin alike. */
function identity(context: OtlpSpanContext): void {
  const traceState = context.traceState?.serialize();
  if (traceState) text(26, traceState);
  hex(18, context.spanId);
  hex(10, context.traceId);
}

type Event = OtlpSpan["events"][number];

function event(one: Event): void {
  const end = mark();
  if (one.droppedAttributesCount) varint(32, one.droppedAttributesCount);
  if (one.attributes !== undefined) attributes(26, one.attributes);
  text(18, one.name);
  time(9, one.time);
  nested(end, 90);
}

function status({ code, message }: OtlpSpan["status"]): void {
  const end = mark();
  if (code) varint(24, code);
  if (message) text(18, message);
  nested(end, 122);
}

function attributes(tag: number, all: OtlpAttributes): void {
  const keys = Object.keys(all);
  for (let index = keys.length - 1; index >= 0; index -= 1) {
    const key = keys[index] as string;
    const end = mark();
    anyValue(18, all[key]);
    name(10, key);
    nested(end, tag);
  }
}

/** An `AnyValue`, in a field of that tag. What OTLP has no form for is one without a value. */
function anyValue(tag: number, value: unknown): void {
  const end = mark();
  if (typeof value === "string") text(10, value);
  else if (typeof value === "number") number(value);
  else if (typeof value === "boolean") varint(16, value ? 1 : 0);
  else if (Array.isArray(value)) list(value);
  else if (value instanceof Uint8Array) bytes(58, value);
  else if (typeof value === "object" && value !== null) keyValueList(value);
  nested(end, tag);
}

function number(value: number): void {
  if (!integerFits(value)) float64(33, value);
  else if (value < 0) negativeVarint(24, value);
  else varint(24, value);
}

function list(values: readonly unknown[]): void {
  const end = mark();
  for (let index = values.length - 1; index >= 0; index -= 1) anyValue(10, values[index]);
  nested(end, 42);
}

function keyValueList(value: object): void {
  const end = mark();
  attributes(10, value as OtlpAttributes);
  nested(end, 50);
}

/** Nanoseconds since 1970 as 64 bits. */
function time(tag: number, moment: OtlpTime): void {
  const [seconds, nanoseconds] = wholeTime(moment);
  // 10^9 times the seconds needs 61 bits: the seconds are multiplied in two halves.
  const low = (seconds % 65_536) * 1e9 + nanoseconds;
  const high = Math.floor(seconds / 65_536) * 1e9;
  const sum = (high % 65_536) * 65_536 + (low % 4_294_967_296);
  const carry = Math.floor(low / 4_294_967_296) + Math.floor(sum / 4_294_967_296);
  fixed64(tag, Math.floor(high / 65_536) + carry, sum);
}
