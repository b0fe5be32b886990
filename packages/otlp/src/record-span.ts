import type { SpanRecord } from "@thoughtflow/schema";
import { jsonOfContent } from "@thoughtflow/schema/content-list";
import type { OtlpAttributes, OtlpResource, OtlpScope, OtlpSpan, OtlpTime } from "./otlp-span.ts";
import { SPAN_KINDS, STATUS_CODES } from "./span-fields.ts";

/**
 * Records of spans as spans that can be encoded, content among their attributes. Those of one process share one
 * resource. Of a span that was only started nothing is made: OTLP has no form for it.
 */
export function spansOfRecords(records: Iterable<SpanRecord>): readonly OtlpSpan[] {
  const resourceOf = createShared((attributes: SpanRecord["resource"]) => ({ attributes }));
  const scopeOf = createShared((scope: SpanRecord["scope"]) => scope);
  const spans: OtlpSpan[] = [];
  for (const record of records) {
    if (record.type !== "span_end") continue;
    spans.push(spanOf(record, resourceOf(record.resource), scopeOf(record.scope)));
  }
  return spans;
}

function spanOf(
  record: SpanRecord,
  resource: OtlpResource,
  instrumentationScope: OtlpScope,
): OtlpSpan {
  const { traceId, spanId, parentSpanId, parentIsRemote, status } = record;
  return {
    name: record.name,
    kind: SPAN_KINDS.indexOf(record.kind),
    spanContext: () => ({ traceId, spanId, traceFlags: 1 }),
    ...(parentSpanId !== undefined && {
      parentSpanContext: {
        traceId,
        spanId: parentSpanId,
        traceFlags: 1,
        isRemote: parentIsRemote === true,
      },
    }),
    startTime: timeOf(record.startTimeUnixNano),
    endTime: timeOf(record.endTimeUnixNano ?? "0"),
    status: { code: STATUS_CODES.indexOf(status.code), message: status.message },
    attributes: allAttributes(record),
    links: record.links.map(({ traceId, spanId, attributes, droppedAttributesCount }) => ({
      context: { traceId, spanId, traceFlags: 0 },
      attributes,
      droppedAttributesCount,
    })),
    events: record.events.map(({ timeUnixNano, ...event }) => ({
      ...event,
      time: timeOf(timeUnixNano),
    })),
    resource,
    instrumentationScope,
    droppedAttributesCount: record.droppedAttributesCount ?? 0,
    droppedEventsCount: record.droppedEventsCount ?? 0,
    droppedLinksCount: record.droppedLinksCount ?? 0,
  };
}

function allAttributes({ attributes, content = {} }: SpanRecord): OtlpAttributes {
  const texts = Object.entries(content).map(([name, text]) => [name, jsonOfContent(text)] as const);
  return Object.fromEntries([...Object.entries(attributes), ...texts]);
}

/** Decimal nanoseconds in two parts. */
function timeOf(nanoseconds: string): OtlpTime {
  const whole = BigInt(nanoseconds);
  return [Number(whole / 1_000_000_000n), Number(whole % 1_000_000_000n)];
}

/** What `make` made of an equal object. Most records of a request share theirs, which may be megabytes: those are compared as they are. */
function createShared<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K | string, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const text = JSON.stringify(key);
    const found = made.get(text) ?? make(key);
    made.set(key, found).set(text, found);
    return found;
  };
}
