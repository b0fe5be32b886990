import { malformed, moveTo, position, readEnd, readUint32, skipField } from "./forward-reader.ts";

/** Where a message lies in a request. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** One `Span`, and what stands above it. Spans of one resource or scope share one object for it. */
export interface SpanPlace extends Place {
  readonly scope: ScopePlace;
}

/** A `ScopeSpans`, whole, with its scope. */
export interface ScopePlace extends Place {
  readonly resource: ResourcePlace;
  readonly scope: Place | undefined;
}

/** A `ResourceSpans`, whole, with its resource. */
export interface ResourcePlace extends Place {
  readonly resource: Place | undefined;
}

/**
 * Where the spans of the request lie that is being read, without a look into them. What a request calls `resource` and
 * `scope` may also stand behind the spans.
 *
 * @throws MalformedRequestError when the request doesn't hold together
 */
export function spanPlaces(length: number): readonly SpanPlace[] {
  const spans: SpanPlace[] = [];
  for (const one of messagesAt(1, { start: 0, end: length })) {
    const [resource] = messagesAt(1, one);
    const ofResource: ResourcePlace = { ...one, resource };
    for (const each of messagesAt(2, one)) {
      const [scope] = messagesAt(1, each);
      const ofScope: ScopePlace = { ...each, resource: ofResource, scope };
      for (const span of messagesAt(2, each)) spans.push({ ...span, scope: ofScope });
    }
  }
  return spans;
}

function messagesAt(number: number, { start, end }: Place): readonly Place[] {
  const wanted = number * 8 + 2;
  const found: Place[] = [];
  moveTo(start);
  while (position() < end) {
    const tag = readUint32(end);
    if (tag !== wanted) skipField(tag, end);
    else {
      const to = readEnd(end);
      found.push({ start: position(), end: to });
      moveTo(to);
    }
  }
  if (position() !== end) throw malformed("a message longer than its field");
  return found;
}
