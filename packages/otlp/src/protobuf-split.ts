import { startReading } from "./forward-reader.ts";
import { RESOURCE_SPANS, SCOPE_SPANS, type SpanPlace, spanPlaces } from "./protobuf-places.ts";

/**
 * Two requests with the first and the second half of a request's spans, each span with the resource and the scope
 * that it had; `undefined` for a request of one span or none.
 *
 * @throws MalformedRequestError for bytes that are no request
 */
export function splitProtobufRequest(
  request: Uint8Array,
): readonly [Uint8Array, Uint8Array] | undefined {
  startReading(request);
  const places = spanPlaces(request.length);
  if (places.length < 2) return undefined;
  const middle = Math.ceil(places.length / 2);
  const half = (from: number, to: number): Uint8Array =>
    Buffer.concat(requestOf(request, places.slice(from, to)));
  return [half(0, middle), half(middle, places.length)];
}

/**
 * A request with some spans of another, in pieces that are to be put one behind the other: nothing is decoded, and what
 * is unknown stays. Spans side by side that share resource and scope share them again.
 */
export function requestOf(
  request: Uint8Array,
  places: readonly SpanPlace[],
): readonly Uint8Array[] {
  return inFields(
    places,
    RESOURCE_SPANS,
    ({ scope }) => scope.resource,
    (ofResource, resource) => [
      ...resource.fields.map(({ start, end }) => request.subarray(start, end)),
      ...inFields(
        ofResource,
        SCOPE_SPANS,
        ({ scope }) => scope,
        (ofScope, scope) => [
          ...scope.fields.map(({ start, end }) => request.subarray(start, end)),
          ...ofScope.map(({ start, end }) => request.subarray(start, end)),
        ],
      ),
    ],
  );
}

/** Each row of spans with equal keys as one field: its tag and length, then its parts. */
function inFields<K>(
  places: readonly SpanPlace[],
  tag: number,
  keyOf: (place: SpanPlace) => K,
  partsOf: (places: readonly SpanPlace[], key: K) => readonly Uint8Array[],
): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let from = 0; from < places.length; ) {
    const key = keyOf(places[from] as SpanPlace);
    let to = from + 1;
    while (to < places.length && keyOf(places[to] as SpanPlace) === key) to += 1;
    const parts = partsOf(places.slice(from, to), key);
    let length = 0;
    for (const part of parts) length += part.length;
    pieces.push(head(tag, length), ...parts);
    from = to;
  }
  return pieces;
}

function head(tag: number, length: number): Uint8Array {
  const bytes = [tag];
  let rest = length;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
