import { malformed, moveTo, position, readEnd, readTag, skipField } from "./forward-reader.ts";

import { TooManySpansError } from "./too-many-spans-error.ts";

/** A field of a message: where it begins with its tag, where its value begins, and where both end. */
export interface FieldPlace {
  readonly tag: number;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** One `Span`, and the `ScopeSpans` that it stands in. */
export interface SpanPlace extends FieldPlace {
  readonly scope: ScopePlace;
}

/** All fields of a `ScopeSpans` but its spans. Its spans share one object. */
export interface ScopePlace {
  readonly fields: readonly FieldPlace[];
  readonly resource: ResourcePlace;
}

/** All fields of a `ResourceSpans` but its `ScopeSpans`, which share one object. */
export interface ResourcePlace {
  readonly fields: readonly FieldPlace[];
}

/** In `TracesData`, `ResourceSpans` and `ScopeSpans`. Source: opentelemetry-proto 1.10, trace.proto. */
export const RESOURCE_SPANS = 10;
export const SCOPE_SPANS = 18;
export const SPANS = 18;
/** Of the parts of one message. A part of nothing has two bytes, and its place a hundred. */
const MOST_PARTS = 500_000;

/**
 * Where the spans of the request lie that is being read, without a look into them.
 *
 * @throws MalformedRequestError when the request doesn't hold together
 * @throws TooManySpansError for more than `most`: each takes a hundred times the memory of an empty one in the request
 */
export function spanPlaces(
  length: number,
  most: number = Number.POSITIVE_INFINITY,
): readonly SpanPlace[] {
  const spans: SpanPlace[] = [];
  let count = 0;
  const [resources] = fieldsOf(RESOURCE_SPANS, 0, length);
  for (const one of resources) {
    const [scopes, ofResource] = fieldsOf(SCOPE_SPANS, one.valueStart, one.end);
    const resource: ResourcePlace = { fields: ofResource };
    for (const each of scopes) {
      const [these, ofScope] = fieldsOf(SPANS, each.valueStart, each.end, () => {
        if (++count > most) throw new TooManySpansError(most);
      });
      const scope: ScopePlace = { fields: ofScope, resource };
      for (const { tag, start, valueStart, end } of these)
        spans.push({ tag, start, valueStart, end, scope });
    }
  }
  return spans;
}

/** The fields with that tag, and the others. */
function fieldsOf(
  wanted: number,
  from: number,
  to: number,
  onFound: () => void = () => {},
): readonly [these: FieldPlace[], others: FieldPlace[]] {
  const these: FieldPlace[] = [];
  const others: FieldPlace[] = [];
  moveTo(from);
  while (position() < to) {
    if (these.length + others.length === MOST_PARTS)
      throw malformed(`a message of more than ${MOST_PARTS} parts`);
    const start = position();
    const tag = readTag(to);
    if ((tag & 7) === 2) {
      const end = readEnd(to);
      const field = { tag, start, valueStart: position(), end };
      if (tag === wanted) {
        onFound();
        these.push(field);
      } else others.push(field);
      moveTo(end);
    } else {
      const valueStart = position();
      skipField(tag, to);
      others.push({ tag, start, valueStart, end: position() });
    }
  }
  if (position() !== to) throw malformed("a message longer than its field");
  return [these, others];
}

/** The `resource` or the `scope`, both field 1; where there are several, the others say nothing. */
export function firstMessage(fields: readonly FieldPlace[]): FieldPlace | undefined {
  return fields.find(({ tag }) => tag === 10);
}
