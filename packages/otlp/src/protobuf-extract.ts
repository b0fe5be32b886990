import { finishMessage, mark, nested, piece, startMessage } from "./backward-writer.ts";
import {
  type FieldPlace,
  RESOURCE_SPANS,
  SCOPE_SPANS,
  SPANS,
  type SpanPlace,
} from "./protobuf-places.ts";

/** A span of a request, and the stretches of its bytes that are wanted: where each begins and ends, one behind the other. */
export interface ExtractedSpan {
  readonly place: SpanPlace;
  readonly kept: readonly number[];
}

/**
 * A request of its own with what is wanted of some spans, in their order: their bytes are copied, nothing is decoded. Spans side by
 * side that share resource and scope share them again.
 */
export function extractOf(request: Uint8Array, spans: readonly ExtractedSpan[]): Uint8Array {
  startMessage();
  let at = spans.length - 1;
  while (at >= 0) {
    const { resource } = placeAt(at).scope;
    const endOfResource = mark();
    while (at >= 0 && placeAt(at).scope.resource === resource) {
      const { scope } = placeAt(at);
      const endOfScope = mark();
      for (; at >= 0 && placeAt(at).scope === scope; at -= 1) {
        const endOfSpan = mark();
        const { kept } = spans[at] as ExtractedSpan;
        for (let one = kept.length - 2; one >= 0; one -= 2)
          piece(request, kept[one] ?? 0, kept[one + 1] ?? 0);
        nested(endOfSpan, SPANS);
      }
      fields(scope.fields);
      nested(endOfScope, SCOPE_SPANS);
    }
    fields(resource.fields);
    nested(endOfResource, RESOURCE_SPANS);
  }
  return finishMessage();

  function placeAt(index: number): SpanPlace {
    return (spans[index] as ExtractedSpan).place;
  }

  function fields(places: readonly FieldPlace[]): void {
    for (const { start, end } of places.toReversed()) piece(request, start, end);
  }
}
