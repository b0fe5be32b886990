import { isDeepStrictEqual } from "node:util";
import type { ComparableSpan } from "./comparable-span.ts";

/**
 * What a backend did wrong, in the words of Tempo's own vulture: it couldn't be asked, has never heard of the trace, has
 * only a part of it, or gives back something else than was written.
 */
export interface Trouble {
  readonly kind: "requestfailed" | "notfound_byid" | "missingspans" | "incorrectresult";
  readonly message: string;
}

/** What is wrong with what was found; nothing when it is what was written. What a backend adds is its own affair. */
export function differences(
  written: readonly ComparableSpan[],
  found: readonly ComparableSpan[],
): readonly Trouble[] {
  return written.flatMap((span): readonly Trouble[] => {
    const [same, ...others] = found.filter(({ spanId }) => spanId === span.spanId);
    if (same === undefined) {
      return [{ kind: "missingspans", message: `span ${span.spanId}, ${span.name}` }];
    }
    const again =
      others.length === 0 ? [] : [incorrect(`number of ${span.name}`, 1, others.length + 1)];
    return [
      ...again,
      ...fieldDifferences(span, same),
      ...attributeDifferences(span.name, span.attributes, same.attributes),
      ...attributeDifferences(`the resource of ${span.name}`, span.resource, same.resource),
    ];
  });
}

const FIELDS = [
  "traceId",
  "parentSpanId",
  "name",
  "kind",
  "startTimeUnixNano",
  "endTimeUnixNano",
  "statusCode",
  "statusMessage",
  "scope",
  "links",
  "events",
] as const;

function fieldDifferences(written: ComparableSpan, found: ComparableSpan): readonly Trouble[] {
  return FIELDS.filter((field) => !isDeepStrictEqual(written[field], found[field])).map((field) =>
    incorrect(`${field} of ${written.name}`, written[field], found[field]),
  );
}

function attributeDifferences(
  owner: string,
  written: ComparableSpan["attributes"],
  found: ComparableSpan["attributes"],
): readonly Trouble[] {
  return Object.entries(written)
    .filter(([name, value]) => !isDeepStrictEqual(value, found[name]))
    .map(([name, value]) => incorrect(`${name} of ${owner}`, value, found[name]));
}

/** Something that is not as it was written. */
export function incorrect(what: string, written: unknown, found: unknown): Trouble {
  return { kind: "incorrectresult", message: `${what} is ${shown(found)}, not ${shown(written)}` };
}

/** Enough to see what it is. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "missing";
  return text.length <= 80 ? text : `${text.slice(0, 60)}… (${text.length} characters)`;
}
