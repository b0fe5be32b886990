import type {
  Attributes,
  AttributeValue,
  Scope,
  SpanEvent,
  SpanLink,
  SpanRecord,
  SpanStatus,
} from "@thoughtflow/schema";
import {
  moveTo,
  position,
  readEnd,
  readFixed32,
  readFixed64,
  readHex,
  readTag,
  readText,
  readUint32,
  skipField,
} from "./forward-reader.ts";
import { madeRecord } from "./made-record.ts";
import { readKeyValue, takerInto } from "./protobuf-attributes.ts";
import type { SpanPlace } from "./protobuf-places.ts";
import type { SpanAttributesReader } from "./protobuf-span-attributes.ts";
import { statusCode } from "./span-fields.ts";

/** `10` is field 1 with a length: tags are `field number * 8 + wire type`. Source: opentelemetry-proto 1.10, trace.proto. */
const FLAGS = 16 * 8 + 5;
const UNSET: SpanStatus = { code: "unset" };

/** A `Span` that stands there, as a record; in brief without its events and links. */
export function readSpan(
  { valueStart, end }: Pick<SpanPlace, "valueStart" | "end">,
  scope: Scope,
  resource: Attributes,
  said: SpanAttributesReader,
  isWhole: boolean,
): SpanRecord {
  let traceId = "";
  let spanId = "";
  let parentSpanId = "";
  let name = "";
  let kind = 0;
  let startTimeUnixNano = "0";
  let endTimeUnixNano = "0";
  let status = UNSET;
  let flags = 0;
  let droppedAttributesCount = 0;
  let droppedEventsCount = 0;
  let droppedLinksCount = 0;
  const events: SpanEvent[] = [];
  const links: SpanLink[] = [];
  said.begin();
  moveTo(valueStart);
  while (position() < end) {
    const field = position();
    const tag = readTag(end);
    switch (tag) {
      case 10:
        traceId = readHex(readEnd(end));
        break;
      case 18:
        spanId = readHex(readEnd(end));
        break;
      case 34:
        parentSpanId = readHex(readEnd(end));
        break;
      case 42:
        name = readText(readEnd(end));
        break;
      case 48:
        kind = readUint32(end);
        break;
      case 57:
        startTimeUnixNano = readFixed64(end);
        break;
      case 65:
        endTimeUnixNano = readFixed64(end);
        break;
      case 74:
        said.read(field, end);
        break;
      case 80:
        droppedAttributesCount = readUint32(end);
        break;
      case 90:
        if (isWhole) events.push(readEvent(readEnd(end)));
        else skipField(tag, end);
        break;
      case 96:
        droppedEventsCount = readUint32(end);
        break;
      case 106:
        if (isWhole) links.push(readLink(readEnd(end)));
        else skipField(tag, end);
        break;
      case 112:
        droppedLinksCount = readUint32(end);
        break;
      case 122:
        status = readStatus(readEnd(end));
        break;
      case FLAGS:
        flags = readFixed32(end);
        break;
      default:
        skipField(tag, end);
    }
  }
  return madeRecord({
    traceId,
    spanId,
    parentSpanId,
    flags,
    name,
    kind,
    startTimeUnixNano,
    endTimeUnixNano,
    status,
    said: said.all,
    events,
    links,
    droppedAttributesCount,
    droppedEventsCount,
    droppedLinksCount,
    scope,
    resource,
  });
}

function readEvent(end: number): SpanEvent {
  let name = "";
  let timeUnixNano = "0";
  let droppedAttributesCount = 0;
  const attributes: Record<string, AttributeValue> = {};
  while (position() < end) {
    const tag = readTag(end);
    if (tag === 9) timeUnixNano = readFixed64(end);
    else if (tag === 18) name = readText(readEnd(end));
    else if (tag === 26) readKeyValue(readEnd(end), takerInto(attributes));
    else if (tag === 32) droppedAttributesCount = readUint32(end);
    else skipField(tag, end);
  }
  const event = { name, timeUnixNano, attributes };
  return droppedAttributesCount > 0 ? { ...event, droppedAttributesCount } : event;
}

function readLink(end: number): SpanLink {
  let traceId = "";
  let spanId = "";
  let droppedAttributesCount = 0;
  const attributes: Record<string, AttributeValue> = {};
  while (position() < end) {
    const tag = readTag(end);
    if (tag === 10) traceId = readHex(readEnd(end));
    else if (tag === 18) spanId = readHex(readEnd(end));
    else if (tag === 34) readKeyValue(readEnd(end), takerInto(attributes));
    else if (tag === 40) droppedAttributesCount = readUint32(end);
    else skipField(tag, end);
  }
  const link = { traceId, spanId, attributes };
  return droppedAttributesCount > 0 ? { ...link, droppedAttributesCount } : link;
}

function readStatus(end: number): SpanStatus {
  let code = 0;
  let message = "";
  while (position() < end) {
    const tag = readTag(end);
    if (tag === 18) message = readText(readEnd(end));
    else if (tag === 24) code = readUint32(end);
    else skipField(tag, end);
  }
  return message === "" ? { code: statusCode(code) } : { code: statusCode(code), message };
}

/** An `InstrumentationScope` that stands there. */
export function readScope(start: number, end: number): Scope {
  let name = "";
  let version = "";
  moveTo(start);
  while (position() < end) {
    const tag = readTag(end);
    if (tag === 10) name = readText(readEnd(end));
    else if (tag === 18) version = readText(readEnd(end));
    else skipField(tag, end);
  }
  return { name, ...(version !== "" && { version }) };
}
