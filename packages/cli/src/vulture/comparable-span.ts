import { type OtlpSpan, REQUEST_FORMATS } from "@thoughtflow/otlp";

/** Of a span what every backend must give back. */
export interface ComparableSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly statusCode: number;
  readonly statusMessage: string;
  readonly scope: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
  /** `<trace id> <span id> <attributes>`, sorted. */
  readonly links: readonly string[];
  /** `<name> <time> <attributes>`, sorted. */
  readonly events: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/** The spans that were written, as an answer of a backend would show them. */
export function comparableSpans(spans: readonly OtlpSpan[]): readonly ComparableSpan[] {
  const { encode } = REQUEST_FORMATS["http/json"];
  return spansInAnswer(JSON.parse(Buffer.from(encode(spans)).toString()));
}

/**
 * The spans of an answer in OTLP JSON: Jaeger's has ids in hex and enums as numbers, Tempo's has ids in base64 and enums by
 * their names.
 */
export function spansInAnswer(answer: unknown): readonly ComparableSpan[] {
  return listOf(answer, "resourceSpans").flatMap((ofResource) =>
    listOf(ofResource, "scopeSpans").flatMap((ofScope) =>
      listOf(ofScope, "spans").map((span) => comparableSpan(span, ofScope, ofResource)),
    ),
  );
}

function comparableSpan(span: Json, ofScope: Json, ofResource: Json): ComparableSpan {
  const status = objectOf(span["status"]);
  return {
    traceId: idFrom(span["traceId"]),
    spanId: idFrom(span["spanId"]),
    parentSpanId: idFrom(span["parentSpanId"]),
    name: String(span["name"]),
    kind: enumFrom(span["kind"], KINDS),
    startTimeUnixNano: String(span["startTimeUnixNano"]),
    endTimeUnixNano: String(span["endTimeUnixNano"]),
    statusCode: enumFrom(status["code"], STATUS_CODES),
    statusMessage: String(status["message"] ?? ""),
    scope: String(objectOf(ofScope["scope"])["name"] ?? ""),
    attributes: attributesOf(span),
    resource: attributesOf(objectOf(ofResource["resource"])),
    links: listOf(span, "links")
      .map((link) => described(`${idFrom(link["traceId"])} ${idFrom(link["spanId"])}`, link))
      .sort(),
    events: listOf(span, "events")
      .map((event) => described(`${event["name"]} ${event["timeUnixNano"]}`, event))
      .sort(),
  };
}

const KINDS = ["UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"];
const STATUS_CODES = ["UNSET", "OK", "ERROR"];

function described(name: string, holder: Json): string {
  const attributes = Object.entries(attributesOf(holder)).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${name} ${JSON.stringify(attributes)}`;
}

function attributesOf(holder: Json): Json {
  return Object.fromEntries(
    listOf(holder, "attributes").map(({ key, value }) => [String(key), plain(objectOf(value))]),
  );
}

function plain(value: Json): unknown {
  if ("intValue" in value) return Number(value["intValue"]);
  if ("arrayValue" in value) return listOf(value["arrayValue"], "values").map(plain);
  return Object.values(value)[0];
}

/** Hex as it is, base64 made hex, nothing for none. */
function idFrom(id: unknown): string {
  if (typeof id !== "string" || id === "" || /^0+$/.test(id)) return "";
  return /^(?:[0-9a-f]{16}){1,2}$/i.test(id)
    ? id.toLowerCase()
    : Buffer.from(id, "base64").toString("hex");
}

function enumFrom(value: unknown, names: readonly string[]): number {
  if (typeof value === "number") return value;
  return Math.max(
    0,
    names.findIndex((name) => String(value ?? "").endsWith(`_${name}`)),
  );
}

function listOf(holder: unknown, key: string): readonly Json[] {
  const list = objectOf(holder)[key];
  return Array.isArray(list) ? list.map(objectOf) : [];
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}
