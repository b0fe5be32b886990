import type { Attributes as ApiAttributes, HrTime, Link } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { withoutContent } from "@thoughtflow/dialects/spans";
import type { Redactor } from "@thoughtflow/redaction";
import type {
  Attributes,
  AttributeValue,
  SpanEvent,
  SpanKind,
  SpanLink,
  SpanRecord,
  SpanStatus,
} from "@thoughtflow/schema";
import {
  ATTR_EXCEPTION_MESSAGE,
  ATTR_EXCEPTION_STACKTRACE,
  CONTENT_ATTRIBUTES,
} from "@thoughtflow/semconv";
import type { ContentCapture, ContentTexts, ErrorText } from "@thoughtflow/tracing/internal";
import {
  capturedContent,
  capturesAll,
  contentAttributesOf,
  contentOf,
  errorTextOf,
  letTextsGo,
  rawCallOf,
} from "@thoughtflow/tracing/internal";

/** How a span becomes a record: whether its content is kept, and what masks it. */
export interface RecordForm {
  readonly captureContent: ContentCapture;
  /** Whether model calls are kept as they were sent and answered, too. */
  readonly captureRaw: boolean;
  readonly redactor: Redactor;
}

const KINDS: readonly SpanKind[] = ["internal", "server", "client", "producer", "consumer"];
const STATUS_CODES: readonly SpanStatus["code"][] = ["unset", "ok", "error"];

/**
 * A span as a record, redacted, with its content where that is kept: the one attached to it, else what its
 * attributes hold. Reads a span of SDK 2.x or 3.x.
 */
export function spanRecord(
  span: ReadableSpan,
  type: SpanRecord["type"],
  form: RecordForm,
): SpanRecord {
  const { traceId, spanId } = span.spanContext();
  const { parentSpanContext: parent, status } = span;
  const { redactor } = form;
  const attributes = plainAttributes(span.attributes, redactor);
  const content = form.captureContent
    ? capturedContent(contentOfSpan(span, form), form.captureContent)
    : {};
  if (type === "span_end") letTextsGo(span);
  const isAll = capturesAll(form.captureContent);
  const said = isAll ? errorTextOf(span) : undefined;
  const code = STATUS_CODES[status.code] ?? "unset";
  // What called a span's work off stands in its exception alone.
  const message = (code === "error" ? said?.message : undefined) ?? status.message;
  const exception = span.events.findLast(({ name }) => name === "exception");
  const { name: scopeName, version } = span.instrumentationScope;
  const record: SpanRecord = {
    type,
    traceId,
    spanId,
    ...(parent !== undefined && { parentSpanId: parent.spanId }),
    ...(parent?.isRemote === true && { parentIsRemote: true }),
    name: redactor.text(String(span.name), "name"),
    kind: KINDS[span.kind] ?? "internal",
    startTimeUnixNano: nanoseconds(span.startTime),
    ...(type === "span_end" && { endTimeUnixNano: nanoseconds(span.endTime) }),
    status: {
      code,
      ...(isAll &&
        message !== undefined && {
          message: redactor.text(String(message), "status.message"),
        }),
    },
    attributes,
    ...(Object.keys(content).length > 0 && { content }),
    events: span.events.map(
      (event): SpanEvent => spanEvent(event, event === exception ? said : undefined, form),
    ),
    links: span.links.map((link) => spanLink(link, redactor)),
    ...(span.droppedAttributesCount ? { droppedAttributesCount: span.droppedAttributesCount } : {}),
    ...(span.droppedEventsCount ? { droppedEventsCount: span.droppedEventsCount } : {}),
    ...(span.droppedLinksCount ? { droppedLinksCount: span.droppedLinksCount } : {}),
    scope: { name: scopeName, ...(version !== undefined && { version }) },
    resource: resourceAttributes(span, redactor),
  };
  return isAll ? record : withoutContent(record);
}

/** An event, an exception with what it said where that lies beside the span. */
function spanEvent(
  { name, time, attributes = {}, droppedAttributesCount }: ReadableSpan["events"][number],
  said: ErrorText | undefined,
  form: RecordForm,
): SpanEvent {
  const told = said && {
    [ATTR_EXCEPTION_MESSAGE]: said.message,
    ...(said.stack !== undefined && { [ATTR_EXCEPTION_STACKTRACE]: said.stack }),
  };
  return {
    name: form.redactor.text(String(name), "event.name"),
    timeUnixNano: nanoseconds(time),
    attributes: eventAttributes({ ...attributes, ...told }, form),
    ...(droppedAttributesCount ? { droppedAttributesCount } : {}),
  };
}

/** What an error says may be what a tool or a model said. */
function eventAttributes(attributes: ApiAttributes, form: RecordForm): Attributes {
  const plain = plainAttributes(attributes, form.redactor);
  if (capturesAll(form.captureContent)) return plain;
  const { [ATTR_EXCEPTION_MESSAGE]: _, [ATTR_EXCEPTION_STACKTRACE]: __, ...structure } = plain;
  return structure;
}

function spanLink(
  { context, attributes = {}, droppedAttributesCount }: Link,
  redactor: Redactor,
): SpanLink {
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    attributes: plainAttributes(attributes, redactor),
    ...(droppedAttributesCount ? { droppedAttributesCount } : {}),
  };
}

/** Attached content is text already, made and redacted once for all who ask. */
function contentOfSpan(span: ReadableSpan, { redactor, captureRaw }: RecordForm): ContentTexts {
  const attached = contentOf(span);
  const own = attached === undefined ? {} : contentAttributesOf(attached);
  const written: [string, string][] = [];
  for (const name of CONTENT_ATTRIBUTES) {
    if (Object.hasOwn(own, name)) continue;
    const value = attributeValue(span.attributes, name);
    if (typeof value === "string") written.push([name, redactor.text(value, name)]);
  }
  const raw = captureRaw && attached !== undefined ? rawCallOf(attached) : {};
  return { ...Object.fromEntries(written), ...own, ...raw };
}

/** Without content; what is no attribute value, or throws when looked at, is left out. */
function plainAttributes(attributes: ApiAttributes, redactor: Redactor): Attributes {
  const plain: [string, AttributeValue][] = [];
  for (const name of Object.keys(attributes)) {
    if (CONTENT_ATTRIBUTES.has(name)) continue;
    const value = attributeValue(attributes, name);
    const key = redactor.key(name);
    if (typeof value === "string") plain.push([key, redactor.text(value, name)]);
    else if (typeof value === "boolean") plain.push([key, value]);
    else if (typeof value === "number")
      plain.push([key, Number.isFinite(value) ? value : String(value)]);
    else if (Array.isArray(value)) plain.push([key, plainList(value, name, redactor)]);
  }
  return Object.fromEntries(plain);
}

/** Where something stands that is no attribute value, `null` stands. */
function plainList(list: readonly unknown[], name: string, redactor: Redactor): AttributeValue {
  const items = Array.from(list, (item) => {
    if (typeof item === "string") return redactor.text(item, name);
    if (typeof item === "number") return Number.isFinite(item) ? item : String(item);
    return typeof item === "boolean" ? item : null;
  });
  return items as unknown as AttributeValue;
}

function attributeValue(attributes: ApiAttributes, name: string): unknown {
  try {
    return attributes[name];
  } catch {
    return undefined;
  }
}

const resources = new WeakMap<object, { redactor: Redactor; attributes: Attributes }>();

/** One object for all records of a resource. */
function resourceAttributes({ resource }: ReadableSpan, redactor: Redactor): Attributes {
  const known = resources.get(resource);
  if (known?.redactor === redactor) return known.attributes;
  const attributes = plainAttributes(resource.attributes, redactor);
  if (resource.asyncAttributesPending !== true) resources.set(resource, { redactor, attributes });
  return attributes;
}

/** `[seconds, nanoseconds]` as decimal nanoseconds; 0 for a time that is none. */
function nanoseconds([seconds, nanos]: HrTime): string {
  if (!Number.isFinite(seconds) || !Number.isFinite(nanos)) return "0";
  // A clock that is set back or mocked while a span is open gives negative parts.
  if (seconds <= 0 || nanos < 0)
    return String(BigInt(Math.trunc(seconds)) * 1_000_000_000n + BigInt(Math.trunc(nanos)));
  return `${Math.trunc(seconds)}${String(Math.trunc(nanos)).padStart(9, "0")}`;
}
