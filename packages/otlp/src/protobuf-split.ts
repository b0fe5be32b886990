import { startReading } from "./forward-reader.ts";
import {
  type FieldPlace,
  RESOURCE_SPANS,
  SCOPE_SPANS,
  SPANS,
  type SpanPlace,
  spanPlaces,
} from "./protobuf-places.ts";

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
  const spans = spanPlaces(request.length).map((place) => ({ place }));
  if (spans.length < 2) return undefined;
  const middle = Math.ceil(spans.length / 2);
  const half = (from: number, to: number): Uint8Array =>
    Buffer.concat(requestOf(request, spans.slice(from, to)));
  return [half(0, middle), half(middle, spans.length)];
}

/** Bytes of a request. */
export type Stretch = Pick<FieldPlace, "start" | "end">;

interface Placed {
  readonly place: SpanPlace;
}

/**
 * A request with some spans of another, in pieces that are to be put one behind the other: nothing is decoded, and what
 * is unknown stays. Spans side by side that share resource and scope share them again.
 *
 * @param leftOut fields of a span that don't come along, in their order
 */
export function requestOf<S extends Placed>(
  request: Uint8Array,
  spans: readonly S[],
  leftOut: (span: S) => readonly Stretch[] = () => [],
): readonly Uint8Array[] {
  const bytesOf = ({ start, end }: Stretch): Uint8Array => request.subarray(start, end);
  const bytesOfSpan = (span: S): Uint8Array | readonly Uint8Array[] => {
    const without = leftOut(span);
    return without.length === 0
      ? bytesOf(span.place)
      : inField(SPANS, stretchesOf(span.place, without).map(bytesOf));
  };
  return inFields(
    spans,
    RESOURCE_SPANS,
    ({ place }) => place.scope.resource,
    (ofResource, resource) => [
      ...resource.fields.map(bytesOf),
      ...inFields(
        ofResource,
        SCOPE_SPANS,
        ({ place }) => place.scope,
        (ofScope, scope) => [...scope.fields.map(bytesOf), ...ofScope.flatMap(bytesOfSpan)],
      ),
    ],
  );
}

/** What is left of a span's fields. */
function stretchesOf(
  { valueStart, end }: SpanPlace,
  without: readonly Stretch[],
): readonly Stretch[] {
  const starts = [valueStart, ...without.map((field) => field.end)];
  return starts.map((start, index) => ({ start, end: without[index]?.start ?? end }));
}

/** Each row of spans with equal keys as one field. */
function inFields<S, K>(
  spans: readonly S[],
  tag: number,
  keyOf: (span: S) => K,
  partsOf: (spans: readonly S[], key: K) => readonly Uint8Array[],
): readonly Uint8Array[] {
  const fields: (readonly Uint8Array[])[] = [];
  for (let from = 0; from < spans.length; ) {
    const key = keyOf(spans[from] as S);
    let to = from + 1;
    while (to < spans.length && keyOf(spans[to] as S) === key) to += 1;
    fields.push(inField(tag, partsOf(spans.slice(from, to), key)));
    from = to;
  }
  return fields.flat();
}

/** A field: its tag and length, then its parts. */
function inField(tag: number, parts: readonly Uint8Array[]): readonly Uint8Array[] {
  let length = 0;
  for (const part of parts) length += part.length;
  return [head(tag, length), ...parts];
}

function head(tag: number, length: number): Uint8Array {
  const bytes = [tag];
  let rest = length;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
