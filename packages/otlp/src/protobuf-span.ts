import type {
  Attributes,
  AttributeValue,
  Scope,
  SpanEvent,
  SpanLink,
  SpanRecord,
  SpanStatus,
  StoredText,
} from "@thoughtflow/schema";
import { CONTENT_ATTRIBUTES } from "@thoughtflow/semconv";
import { type AttributeList, createAttributeList } from "./attribute-value.ts";
import {
  moveTo,
  position,
  readEnd,
  readFixed32,
  readFixed64,
  readHex,
  readText,
  readUint32,
  skipField,
} from "./forward-reader.ts";
import { type LeaveUnread, readKeyValue, takerInto } from "./protobuf-attributes.ts";
import { IS_REMOTE, spanKind, statusCode } from "./span-fields.ts";

/** `10` is field 1 with a length: tags are `field number * 8 + wire type`. Source: opentelemetry-proto 1.10, trace.proto. */
const FLAGS = 16 * 8 + 5;
const UNSET: SpanStatus = { code: "unset" };

/** Where a text of a request lies, from byte to byte, as a text that is read when it is looked at. */
export type TextAt = (start: number, end: number) => StoredText;

/** A `Span` that stands there, as a record. Where there is a `textAt`, content that is a text is left to it. */
export function readSpan(
  start: number,
  end: number,
  scope: Scope,
  resource: Attributes,
  textAt?: TextAt,
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
  const list = createAttributeList();
  const leaveUnread = textAt && unreadContent(list, textAt);
  const events: SpanEvent[] = [];
  const links: SpanLink[] = [];
  moveTo(start);
  while (position() < end) {
    const tag = readUint32(end);
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
        readKeyValue(readEnd(end), list.add, 0, leaveUnread);
        break;
      case 80:
        droppedAttributesCount = readUint32(end);
        break;
      case 90:
        events.push(readEvent(readEnd(end)));
        break;
      case 96:
        droppedEventsCount = readUint32(end);
        break;
      case 106:
        links.push(readLink(readEnd(end)));
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
  const { attributes, content } = list;
  return {
    type: "span_end",
    traceId,
    spanId,
    ...parentOf(parentSpanId, flags),
    name,
    kind: spanKind(kind),
    startTimeUnixNano,
    endTimeUnixNano,
    status,
    attributes,
    ...(content !== undefined && { content }),
    events,
    links,
    ...(droppedAttributesCount > 0 && { droppedAttributesCount }),
    ...(droppedEventsCount > 0 && { droppedEventsCount }),
    ...(droppedLinksCount > 0 && { droppedLinksCount }),
    scope,
    resource,
  };
}

/** Shorter texts are read at once. */
const SHORT_TEXT = 128;

/** Leaves an `AnyValue` that is nothing but a text, of an attribute that holds content. */
function unreadContent(list: AttributeList, textAt: TextAt): LeaveUnread {
  return (name, end) => {
    const start = position();
    if (end - start < SHORT_TEXT || !CONTENT_ATTRIBUTES.has(name)) return false;
    const isText = readUint32(end) === 10 && readEnd(end) === end;
    if (isText) list.addStored(name, textAt(position(), end));
    else moveTo(start);
    return isText;
  };
}

/** What a span says of its parent: some exporters write an id of zeros for none. */
export function parentOf(
  parentSpanId: string,
  flags: number,
): Pick<SpanRecord, "parentSpanId" | "parentIsRemote"> {
  if (!/[^0]/.test(parentSpanId)) return {};
  return { parentSpanId, ...((flags & IS_REMOTE) !== 0 && { parentIsRemote: true }) };
}

function readEvent(end: number): SpanEvent {
  let name = "";
  let timeUnixNano = "0";
  let droppedAttributesCount = 0;
  const attributes: Record<string, AttributeValue> = {};
  while (position() < end) {
    const tag = readUint32(end);
    if (tag === 9) timeUnixNano = readFixed64(end);
    else if (tag === 18) name = readText(readEnd(end));
    else if (tag === 26) readKeyValue(readEnd(end), takerInto(attributes));
    else if (tag === 32) droppedAttributesCount = readUint32(end);
    else skipField(tag, end);
  }
  return {
    name,
    timeUnixNano,
    attributes,
    ...(droppedAttributesCount > 0 && { droppedAttributesCount }),
  };
}

function readLink(end: number): SpanLink {
  let traceId = "";
  let spanId = "";
  let droppedAttributesCount = 0;
  const attributes: Record<string, AttributeValue> = {};
  while (position() < end) {
    const tag = readUint32(end);
    if (tag === 10) traceId = readHex(readEnd(end));
    else if (tag === 18) spanId = readHex(readEnd(end));
    else if (tag === 34) readKeyValue(readEnd(end), takerInto(attributes));
    else if (tag === 40) droppedAttributesCount = readUint32(end);
    else skipField(tag, end);
  }
  return {
    traceId,
    spanId,
    attributes,
    ...(droppedAttributesCount > 0 && { droppedAttributesCount }),
  };
}

function readStatus(end: number): SpanStatus {
  let code = 0;
  let message = "";
  while (position() < end) {
    const tag = readUint32(end);
    if (tag === 18) message = readText(readEnd(end));
    else if (tag === 24) code = readUint32(end);
    else skipField(tag, end);
  }
  return { code: statusCode(code), ...(message !== "" && { message }) };
}

/** An `InstrumentationScope` that stands there. */
export function readScope(start: number, end: number): Scope {
  let name = "";
  let version = "";
  moveTo(start);
  while (position() < end) {
    const tag = readUint32(end);
    if (tag === 10) name = readText(readEnd(end));
    else if (tag === 18) version = readText(readEnd(end));
    else skipField(tag, end);
  }
  return { name, ...(version !== "" && { version }) };
}
