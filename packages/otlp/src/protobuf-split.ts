import { type Excerpt, type ExcerptCutter, excerptBytes, excerptOf } from "./excerpt.ts";
import { startReading } from "./forward-reader.ts";
import {
  type FieldPlace,
  RESOURCE_SPANS,
  SCOPE_SPANS,
  type ScopePlace,
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
    excerptBytes(requestOf(request, spans.slice(from, to)));
  return [half(0, middle), half(middle, spans.length)];
}

/** Bytes of a request. */
export type Stretch = Pick<FieldPlace, "start" | "end">;

interface Placed {
  readonly place: SpanPlace;
}

/**
 * A request with some spans of another: nothing is decoded, and what is unknown stays. Spans side by side that share resource
 * and scope share them again.
 *
 * @param leftOut fields of a span that don't come along, in their order
 */
export function requestOf<S extends Placed>(
  request: Uint8Array,
  spans: readonly S[],
  leftOut: (span: S) => readonly Stretch[] = () => NOTHING,
): Excerpt {
  return excerptOf(request, (cutter) => {
    for (let from = 0; from < spans.length; ) {
      const { resource } = scopeOf(spans, from);
      const ofResource = cutter.begin(RESOURCE_SPANS);
      takeAll(cutter, resource.fields);
      while (from < spans.length && scopeOf(spans, from).resource === resource) {
        const scope = scopeOf(spans, from);
        const ofScope = cutter.begin(SCOPE_SPANS);
        takeAll(cutter, scope.fields);
        for (; from < spans.length && scopeOf(spans, from) === scope; from += 1) {
          const span = spans[from] as S;
          takeSpan(cutter, span.place, leftOut(span));
        }
        cutter.end(ofScope);
      }
      cutter.end(ofResource);
    }
  });
}

const NOTHING: readonly Stretch[] = [];

function scopeOf(spans: readonly Placed[], index: number): ScopePlace {
  return (spans[index] as Placed).place.scope;
}

function takeAll(cutter: ExcerptCutter, fields: readonly FieldPlace[]): void {
  for (const { start, end } of fields) cutter.take(start, end);
}

function takeSpan(cutter: ExcerptCutter, place: SpanPlace, without: readonly Stretch[]): void {
  if (without.length === 0) {
    cutter.take(place.start, place.end);
    return;
  }
  const span = cutter.begin(SPANS);
  let from = place.valueStart;
  for (const { start, end } of without) {
    cutter.take(from, start);
    from = end;
  }
  cutter.take(from, place.end);
  cutter.end(span);
}
