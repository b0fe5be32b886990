import type { Attributes, Scope, SpanRecord } from "@thoughtflow/schema";
import type { DecodedRequest, RejectedSpan } from "./decoded-request.ts";
import { startReading } from "./forward-reader.ts";
import { readResource } from "./protobuf-attributes.ts";
import {
  type FieldPlace,
  type ResourcePlace,
  type ScopePlace,
  spanPlaces,
} from "./protobuf-places.ts";
import { type DecodeOptions, readScope, readSpan } from "./protobuf-span.ts";
import { idProblem } from "./span-fields.ts";

/**
 * The spans of an `ExportTraceServiceRequest`, or `TracesData`, in protobuf. Unknown fields are passed over.
 *
 * @throws MalformedRequestError for bytes that are none
 */
export function decodeProtobufRequest(
  request: Uint8Array,
  options: DecodeOptions = {},
): DecodedRequest {
  startReading(request);
  const records: SpanRecord[] = [];
  const rejected: RejectedSpan[] = [];
  const resources = new Map<ResourcePlace, Attributes>();
  const scopes = new Map<ScopePlace, Scope>();
  for (const [index, { valueStart, end, scope }] of spanPlaces(request.length).entries()) {
    try {
      const record = readSpan(
        valueStart,
        end,
        scopeAt(scope, scopes),
        resourceAt(scope.resource, resources),
        options,
      );
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

/** `resource` and `scope` are both field 1. */
function firstMessage(fields: readonly FieldPlace[]): FieldPlace | undefined {
  return fields.find(({ tag }) => tag === 10);
}
