import type { Attributes, Scope, SpanRecord } from "@thoughtflow/schema";
import type { DecodedRequest, RejectedSpan } from "./decoded-request.ts";
import { startReading } from "./forward-reader.ts";
import { readResource } from "./protobuf-attributes.ts";
import {
  firstMessage,
  type ResourcePlace,
  type ScopePlace,
  type SpanPlace,
  spanPlaces,
} from "./protobuf-places.ts";
import { readScope, readSpan } from "./protobuf-span.ts";
import { type AttributeOptions, createSpanAttributesReader } from "./protobuf-span-attributes.ts";
import { idProblem } from "./span-fields.ts";

/** How a request is decoded. */
export interface DecodeOptions extends Pick<AttributeOptions, "textAt"> {
  /** Spans that are let in. Default: any number. */
  readonly most?: number;
}

/**
 * The spans of an `ExportTraceServiceRequest`, or `TracesData`, in protobuf. Unknown fields are passed over.
 *
 * @throws MalformedRequestError for bytes that are none
 * @throws TooManySpansError for more than `most` spans, of which none is read
 */
export function decodeProtobufRequest(
  request: Uint8Array,
  { most, ...options }: DecodeOptions = {},
): DecodedRequest {
  startReading(request);
  const records: SpanRecord[] = [];
  const rejected: RejectedSpan[] = [];
  const recordAt = createRecordReader(options);
  for (const [index, place] of spanPlaces(request.length, most).entries()) {
    try {
      const record = recordAt(place);
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
  return { records, rejected };
}

/**
 * The spans of a request of which none is malformed, in brief: of their attributes those that are wanted, none with more than
 * 4 KiB, and no events and links.
 */
export function decodeRequestInBrief(
  request: Uint8Array,
  isWanted: (name: string) => boolean,
): readonly SpanRecord[] {
  startReading(request);
  return decodeSpansInBrief(request, spanPlaces(request.length), isWanted);
}

/** The same of some of its spans. */
export function decodeSpansInBrief(
  request: Uint8Array,
  places: readonly SpanPlace[],
  isWanted: (name: string) => boolean,
): readonly SpanRecord[] {
  startReading(request);
  return places.map(createRecordReader({ isWanted }));
}

/** What reads single spans of the request that is being read. Spans share the objects of their resource and scope. */
function createRecordReader(options: AttributeOptions): (place: SpanPlace) => SpanRecord {
  const resources = new Map<ResourcePlace, Attributes>();
  const scopes = new Map<ScopePlace, Scope>();
  const attributes = createSpanAttributesReader(options);
  return ({ valueStart, end, scope }) => {
    const said = scopeAt(scope, scopes);
    const resource = resourceAt(scope.resource, resources);
    return readSpan(
      { valueStart, end },
      said,
      resource,
      attributes,
      options.isWanted === undefined,
    );
  };
}

/** Why nothing can be made of a span; `undefined` when something can. */
export function problemOf({ traceId, spanId }: SpanRecord): string | undefined {
  return idProblem("trace id", traceId, 16) ?? idProblem("span id", spanId, 8);
}

function resourceAt(place: ResourcePlace, known: Map<ResourcePlace, Attributes>): Attributes {
  let resource = known.get(place);
  if (resource === undefined) {
    const at = firstMessage(place.fields);
    resource = at === undefined ? {} : readResource(at.valueStart, at.end);
    known.set(place, resource);
  }
  return resource;
}

function scopeAt(place: ScopePlace, known: Map<ScopePlace, Scope>): Scope {
  let scope = known.get(place);
  if (scope === undefined) {
    const at = firstMessage(place.fields);
    scope = at === undefined ? { name: "" } : readScope(at.valueStart, at.end);
    known.set(place, scope);
  }
  return scope;
}
