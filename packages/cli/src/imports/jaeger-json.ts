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
  ATTR_GEN_AI_REQUEST_ENCODING_FORMATS,
  ATTR_GEN_AI_REQUEST_STOP_SEQUENCES,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_SERVICE_NAME,
  ATTR_THOUGHTFLOW_DEPENDS_ON,
  ATTR_THOUGHTFLOW_DEPENDS_ON_CONFIDENCES,
  ATTR_THOUGHTFLOW_DEPENDS_ON_EVIDENCE,
  ATTR_THOUGHTFLOW_DEPENDS_ON_ORIGINS,
  ATTR_THOUGHTFLOW_DEPENDS_ON_TYPES,
  ATTR_THOUGHTFLOW_SESSION_TAGS,
} from "@thoughtflow/semconv";
import type { ImportReport } from "./import-format.ts";

/** A trace as Jaeger's page and its older API (`/api/traces`) have it; times in microseconds. */
export interface JaegerTrace {
  readonly spans: readonly JaegerSpan[];
  readonly processes?: Readonly<Record<string, JaegerProcess>>;
}

interface JaegerSpan {
  readonly traceID: string;
  readonly spanID: string;
  readonly parentSpanID?: string;
  readonly operationName: string;
  readonly startTime: number;
  readonly duration: number;
  readonly references?: readonly JaegerReference[] | null;
  readonly tags?: readonly JaegerTag[] | null;
  readonly logs?: readonly JaegerLog[] | null;
  readonly processID?: string;
}

interface JaegerReference {
  readonly refType: string;
  readonly traceID: string;
  readonly spanID: string;
}

interface JaegerTag {
  readonly key: string;
  readonly value: unknown;
}

interface JaegerLog {
  readonly timestamp: number;
  readonly fields?: readonly JaegerTag[] | null;
}

interface JaegerProcess {
  readonly serviceName?: string;
  readonly tags?: readonly JaegerTag[] | null;
}

/** The traces in a JSON value: `{ data: [trace, …] }`, a list of traces, or one; `undefined` when it holds none. */
export function jaegerTracesIn(value: unknown): readonly JaegerTrace[] | undefined {
  const held = (value as { data?: unknown } | null)?.data ?? value;
  const traces = (Array.isArray(held) ? held : [held]).filter(isTrace);
  return traces.length > 0 ? traces : undefined;
}

function isTrace(value: unknown): value is JaegerTrace {
  const { spans } = (value ?? {}) as { spans?: unknown };
  return Array.isArray(spans) && spans.some((span) => typeof span?.operationName === "string");
}

/** The spans of a trace as records; one without ids or times is left out. */
export function recordsOfJaegerTrace(
  { spans, processes = {} }: JaegerTrace,
  report: ImportReport,
): readonly SpanRecord[] {
  const resources = new Map(
    Object.entries(processes).map(([id, process]) => [id, resourceOf(process)]),
  );
  return spans.flatMap((span) => {
    const record = recordOf(span, resources.get(span.processID ?? "") ?? {});
    if (record === undefined) report.lost("broken spans");
    return record ?? [];
  });
}

const KINDS: ReadonlySet<unknown> = new Set([
  "internal",
  "server",
  "client",
  "producer",
  "consumer",
]);

/** What Jaeger tells in tags and OTLP in fields of the span. */
const FIELDS: ReadonlySet<string> = new Set([
  "span.kind",
  "otel.status_code",
  "otel.status_description",
  "otel.scope.name",
  "otel.scope.version",
  "otel.library.name",
  "otel.library.version",
  "internal.span.format",
]);

function recordOf(span: JaegerSpan, resource: Attributes): SpanRecord | undefined {
  const { traceID, spanID, operationName, startTime, duration } = span;
  if (!/^[0-9a-f]{1,32}$/.test(traceID) || !/^[0-9a-f]{1,16}$/.test(spanID)) return undefined;
  if (!Number.isSafeInteger(startTime) || !(duration >= 0)) return undefined;
  const tags = new Map((span.tags ?? []).map(({ key, value }) => [key, value]));
  const references = (span.references ?? []).filter(({ spanID: id }) => typeof id === "string");
  const parent = references.find(
    ({ refType, traceID: trace }) => refType === "CHILD_OF" && trace === traceID,
  );
  const kind = tags.get("span.kind");
  const version = tags.get("otel.scope.version") ?? tags.get("otel.library.version");
  const parentId = parent?.spanID ?? span.parentSpanID;
  return {
    type: "span_end",
    traceId: traceID.padStart(32, "0"),
    spanId: spanID.padStart(16, "0"),
    ...(parentId && { parentSpanId: parentId.padStart(16, "0") }),
    name: operationName,
    kind: KINDS.has(kind) ? (kind as SpanKind) : "internal",
    startTimeUnixNano: nanoseconds(startTime),
    endTimeUnixNano: nanoseconds(startTime + Math.round(duration)),
    status: statusOf(tags),
    attributes: attributesOf((span.tags ?? []).filter(({ key }) => !FIELDS.has(key))),
    events: (span.logs ?? []).map(eventOf),
    links: references.filter((one) => one !== parent).map(linkOf),
    scope: {
      name: String(tags.get("otel.scope.name") ?? tags.get("otel.library.name") ?? ""),
      ...(typeof version === "string" && { version }),
    },
    resource,
  };
}

function statusOf(tags: ReadonlyMap<string, unknown>): SpanStatus {
  const code = String(tags.get("otel.status_code") ?? "").toLowerCase();
  const message = tags.get("otel.status_description");
  const isError = code === "error" || tags.get("error") === true || tags.get("error") === "true";
  if (!isError) return { code: code === "ok" ? "ok" : "unset" };
  return { code: "error", ...(typeof message === "string" && { message }) };
}

function eventOf({ timestamp, fields }: JaegerLog): SpanEvent {
  const all = fields ?? [];
  const name = all.find(({ key }) => key === "event" || key === "message")?.value;
  return {
    name: typeof name === "string" ? name : "log",
    timeUnixNano: nanoseconds(timestamp),
    attributes: attributesOf(all.filter(({ key }) => key !== "event")),
  };
}

/** Jaeger keeps no attributes of links. */
function linkOf({ traceID, spanID }: JaegerReference): SpanLink {
  return { traceId: traceID.padStart(32, "0"), spanId: spanID.padStart(16, "0"), attributes: {} };
}

function resourceOf({ serviceName, tags }: JaegerProcess): Attributes {
  return {
    ...(serviceName !== undefined && { [ATTR_SERVICE_NAME]: serviceName }),
    ...attributesOf(tags ?? []),
  };
}

/** Attributes that are lists and come back as JSON text. */
const LISTS: ReadonlySet<string> = new Set([
  ATTR_THOUGHTFLOW_DEPENDS_ON,
  ATTR_THOUGHTFLOW_DEPENDS_ON_TYPES,
  ATTR_THOUGHTFLOW_DEPENDS_ON_ORIGINS,
  ATTR_THOUGHTFLOW_DEPENDS_ON_CONFIDENCES,
  ATTR_THOUGHTFLOW_DEPENDS_ON_EVIDENCE,
  ATTR_THOUGHTFLOW_SESSION_TAGS,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_REQUEST_STOP_SEQUENCES,
  ATTR_GEN_AI_REQUEST_ENCODING_FORMATS,
]);

function attributesOf(tags: readonly JaegerTag[]): Attributes {
  return Object.fromEntries(
    tags.map(({ key, value }): [string, AttributeValue] => [key, attributeOf(key, value)]),
  );
}

function attributeOf(key: string, value: unknown): AttributeValue {
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "string") return JSON.stringify(value ?? null);
  return (LISTS.has(key) ? listIn(value) : undefined) ?? value;
}

function listIn(text: string): readonly string[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((item) => typeof item === "string") ? list : undefined;
  } catch {
    return undefined;
  }
}

function nanoseconds(microseconds: number): string {
  return `${Math.round(microseconds)}000`;
}
