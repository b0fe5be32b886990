import type { Attributes, AttributeValue, Scope, SpanEvent, SpanRecord } from "@thoughtflow/schema";
import { createAttributeList } from "./attribute-value.ts";
import type { DecodedRequest, RejectedSpan } from "./decoded-request.ts";
import { checkDensity } from "./json-density.ts";
import { jsonDocuments } from "./json-documents.ts";
import {
  attributesAt,
  countAt,
  fieldOf,
  isObject,
  type JsonObject,
  listAt,
  objectsAt,
  textAt,
} from "./json-value.ts";
import { madeRecord } from "./made-record.ts";
import { MalformedRequestError } from "./malformed-request-error.ts";
import { takerInto } from "./protobuf-attributes.ts";
import { problemOf } from "./protobuf-decode.ts";
import { SPAN_KINDS, STATUS_CODES, statusCode } from "./span-fields.ts";
import { TooManySpansError } from "./too-many-spans-error.ts";

/**
 * The spans of OTLP in JSON, as it is specified and as it is found: ids in hex or base64, enums by number or name,
 * 64-bit numbers as texts or numbers, names in either case, unknown fields; one document, or several one after the
 * other; a request, a Tempo or Jaeger answer that holds one.
 *
 * @param most spans that are let in; what stands in place of one counts, too. Without it the text is one's own, and taken as it is
 * @throws MalformedRequestError for a text that is no JSON, or that would take far more than spans of its length
 * @throws TooManySpansError at the first span after `most`
 */
export function decodeJsonRequest(
  text: string,
  most: number = Number.POSITIVE_INFINITY,
): DecodedRequest {
  if (most !== Number.POSITIVE_INFINITY) checkDensity(text);
  const records: SpanRecord[] = [];
  const rejected: RejectedSpan[] = [];
  for (const document of jsonDocuments(text)) {
    for (const one of resourceSpansIn(document)) {
      const resource = remembered(() => attributesOf(objectAt(one, "resource"), "attributes"));
      for (const each of scopeSpansIn(one)) {
        const scope = scopeOf(each);
        for (const span of listAt(each, "spans")) {
          const index = records.length + rejected.length;
          if (index === most) throw new TooManySpansError(most);
          if (!isObject(span)) {
            const reason = `${JSON.stringify(span).slice(0, 64)} is no span`;
            rejected.push({ index, code: "malformed", reason });
            continue;
          }
          try {
            const record = recordOf(span, scope, resource());
            const reason = problemOf(record);
            if (reason === undefined) records.push(record);
            else rejected.push({ index, code: "id", reason });
          } catch (error) {
            rejected.push({
              index,
              code: "malformed",
              reason: error instanceof Error ? error.message : String(error),
            });
          }
        }
      }
    }
  }
  return { records, rejected };
}

/** What `make` made the first time. */
function remembered<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const MOST_WRAPPED = 16;

/** A request's own list; Tempo calls it `batches`, and both its and Jaeger's answers wrap it once more. */
function resourceSpansIn(document: unknown, depth = 0): readonly JsonObject[] {
  if (depth > MOST_WRAPPED)
    throw new MalformedRequestError(`no OTLP in JSON: wrapped more than ${MOST_WRAPPED} times`);
  if (Array.isArray(document)) return document.flatMap((one) => resourceSpansIn(one, depth + 1));
  if (!isObject(document)) return [];
  const inner = fieldOf(document, "trace") ?? fieldOf(document, "result");
  if (isObject(inner)) return resourceSpansIn(inner, depth + 1);
  const isAnswer = Array.isArray(fieldOf(document, "batches"));
  return objectsAt(document, isAnswer ? "batches" : "resourceSpans");
}

function scopeSpansIn(resourceSpans: JsonObject): readonly JsonObject[] {
  const spans = objectsAt(resourceSpans, "scopeSpans");
  return spans.length > 0 ? spans : objectsAt(resourceSpans, "instrumentationLibrarySpans");
}

function scopeOf(scopeSpans: JsonObject): Scope {
  const given = objectAt(scopeSpans, "scope") ?? objectAt(scopeSpans, "instrumentationLibrary");
  const scope = given ?? {};
  const version = textAt(scope, "version");
  return { name: textAt(scope, "name"), ...(version !== "" && { version }) };
}

function recordOf(span: JsonObject, scope: Scope, resource: Attributes): SpanRecord {
  const said = createAttributeList();
  for (const [name, value] of attributesAt(span, "attributes")) said.add(name, value);
  const status = objectAt(span, "status") ?? {};
  const message = textAt(status, "message");
  return madeRecord({
    traceId: idAt(span, "traceId", 16),
    spanId: idAt(span, "spanId", 8),
    parentSpanId: idAt(span, "parentSpanId", 8),
    flags: countAt(span, "flags"),
    name: textAt(span, "name"),
    kind: enumAt(span, "kind", "SPAN_KIND_", KIND_NAMES),
    startTimeUnixNano: timeAt(span, "startTimeUnixNano"),
    endTimeUnixNano: timeAt(span, "endTimeUnixNano"),
    status: {
      code: statusCode(enumAt(status, "code", "STATUS_CODE_", STATUS_CODES)),
      ...(message !== "" && { message }),
    },
    said,
    events: objectsAt(span, "events").map((event) => ({
      name: textAt(event, "name"),
      timeUnixNano: timeAt(event, "timeUnixNano"),
      attributes: attributesOf(event, "attributes"),
      ...dropped(event),
    })),
    links: objectsAt(span, "links").map((link) => ({
      traceId: idAt(link, "traceId", 16),
      spanId: idAt(link, "spanId", 8),
      attributes: attributesOf(link, "attributes"),
      ...dropped(link),
    })),
    droppedAttributesCount: countAt(span, "droppedAttributesCount"),
    droppedEventsCount: countAt(span, "droppedEventsCount"),
    droppedLinksCount: countAt(span, "droppedLinksCount"),
    scope,
    resource,
  });
}

const KIND_NAMES: readonly string[] = ["unspecified", ...SPAN_KINDS];

/** By number, also as a text, or by name: `SPAN_KIND_CLIENT`, `client`. */
function enumAt(
  object: JsonObject,
  name: string,
  prefix: string,
  names: readonly string[],
): number {
  const value = fieldOf(object, name);
  if (typeof value !== "string" || /^\d+$/.test(value)) return countAt(object, name);
  const own = value.toUpperCase().replace(prefix, "").toLowerCase();
  return Math.max(0, names.indexOf(own));
}

function objectAt(object: JsonObject, name: string): JsonObject | undefined {
  const value = fieldOf(object, name);
  return isObject(value) ? value : undefined;
}

function attributesOf(object: JsonObject | undefined, name: string): Attributes {
  const attributes: Record<string, AttributeValue> = {};
  const take = takerInto(attributes);
  if (object !== undefined) for (const [key, value] of attributesAt(object, name)) take(key, value);
  return attributes;
}

/** A count that is absent when 0. */
function dropped(object: JsonObject): Pick<SpanEvent, "droppedAttributesCount"> {
  const droppedAttributesCount = countAt(object, "droppedAttributesCount");
  return droppedAttributesCount > 0 ? { droppedAttributesCount } : {};
}

/** Hex, as OTLP says, or base64, as protobuf's JSON has it; in hex. */
function idAt(object: JsonObject, name: string, bytes: number): string {
  const text = textAt(object, name);
  if (/^[\da-f]*$/i.test(text) && text.length === 2 * bytes) return text.toLowerCase();
  const decoded = /^[\w+/-]*={0,2}$/.test(text) ? Buffer.from(text, "base64") : undefined;
  if (decoded?.length === bytes) return decoded.toString("hex");
  if (text === "" || name.startsWith("parent")) return "";
  throw new RangeError(`${name} ${JSON.stringify(text.slice(0, 64))} is no id of ${bytes} bytes`);
}

/** Nanoseconds since 1970. */
function timeAt(object: JsonObject, name: string): string {
  const value = fieldOf(object, name);
  if (value === undefined || value === null || value === "") return "0";
  if (typeof value === "string" && /^\d{1,20}$/.test(value)) return String(BigInt(value));
  const time = Number(value);
  if (!Number.isFinite(time) || time < 0 || time >= 2 ** 64)
    throw new RangeError(`${name} ${JSON.stringify(value).slice(0, 64)} is no time`);
  return String(BigInt(Math.round(time)));
}
