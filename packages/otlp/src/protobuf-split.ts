import { type ProtobufField, protobufFields } from "./protobuf-fields.ts";

/** Fields of a request, a `ResourceSpans` and a `ScopeSpans` that hold what is split; others go into each part. */
const RESOURCE_SPANS = 1;
const SCOPE_SPANS = 2;
const SPANS = 2;

interface SpanPlace {
  /** Everything of its resource and its scope but spans, as parts of the request. */
  readonly resource: readonly ProtobufField[];
  readonly scope: readonly ProtobufField[];
  readonly span: ProtobufField;
}

/**
 * Two requests with the first and the second half of a request's spans, each span with the resource and the scope
 * that it had; `undefined` for a request of one span or none.
 */
export function splitProtobufRequest(
  request: Uint8Array,
): readonly [Uint8Array, Uint8Array] | undefined {
  const places = spanPlaces(request);
  if (places.length < 2) return undefined;
  const middle = Math.ceil(places.length / 2);
  return [joined(request, places.slice(0, middle)), joined(request, places.slice(middle))];
}

function spanPlaces(request: Uint8Array): readonly SpanPlace[] {
  const places: SpanPlace[] = [];
  const [resources] = fieldsByNumber(request, RESOURCE_SPANS);
  for (const one of resources) {
    const [scopes, resource] = fieldsByNumber(request, SCOPE_SPANS, one);
    for (const each of scopes) {
      const [spans, scope] = fieldsByNumber(request, SPANS, each);
      for (const span of spans) places.push({ resource, scope, span });
    }
  }
  return places;
}

function fieldsByNumber(
  request: Uint8Array,
  number: number,
  within?: ProtobufField,
): readonly [these: ProtobufField[], others: ProtobufField[]] {
  const these: ProtobufField[] = [];
  const others: ProtobufField[] = [];
  for (const field of protobufFields(request, within?.valueStart, within?.end)) {
    (field.number === number ? these : others).push(field);
  }
  return [these, others];
}

function joined(request: Uint8Array, places: readonly SpanPlace[]): Uint8Array {
  const resources = groupedBy(places, ({ resource }) => resource);
  const parts: Uint8Array[] = [];
  for (const [resource, ofResource] of resources) {
    const inResource = copied(request, resource);
    for (const [scope, ofScope] of groupedBy(ofResource, ({ scope }) => scope)) {
      const inScope = copied(request, [...scope, ...ofScope.map(({ span }) => span)]);
      inResource.push(...field(SCOPE_SPANS, inScope));
    }
    parts.push(...field(RESOURCE_SPANS, inResource));
  }
  return Buffer.concat(parts);
}

function copied(request: Uint8Array, fields: readonly ProtobufField[]): Uint8Array[] {
  return fields.map(({ start, end }) => request.subarray(start, end));
}

/** A message as a field: its tag and length, then its parts. */
function field(number: number, parts: readonly Uint8Array[]): readonly Uint8Array[] {
  let length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = [number * 8 + 2];
  for (; length > 127; length = Math.floor(length / 128)) head.push((length % 128) | 128);
  head.push(length);
  return [Uint8Array.from(head), ...parts];
}

function groupedBy<K>(
  places: readonly SpanPlace[],
  keyOf: (place: SpanPlace) => K,
): ReadonlyMap<K, readonly SpanPlace[]> {
  const groups = new Map<K, SpanPlace[]>();
  for (const place of places) {
    const group = groups.get(keyOf(place));
    if (group === undefined) groups.set(keyOf(place), [place]);
    else group.push(place);
  }
  return groups;
}
