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
    const same = found.find(({ spanId }) => spanId === span.spanId);
    if (same === undefined) {
      return [{ kind: "missingspans", message: `span ${span.spanId}, ${span.name}` }];
    }
    return [...fieldDifferences(span, same), ...attributeDifferences(span, same)];
  });
}

const FIELDS = [
  "parentSpanId",
  "name",
  "kind",
  "startTimeUnixNano",
  "endTimeUnixNano",
  "statusCode",
  "links",
  "events",
] as const;

function fieldDifferences(written: ComparableSpan, found: ComparableSpan): readonly Trouble[] {
  return FIELDS.filter((field) => !isDeepStrictEqual(written[field], found[field])).map((field) =>
    incorrect(`${field} of ${written.name}`, written[field], found[field]),
  );
}

function attributeDifferences(written: ComparableSpan, found: ComparableSpan): readonly Trouble[] {
  return Object.entries(written.attributes)
    .filter(([name, value]) => !isDeepStrictEqual(value, found.attributes[name]))
    .map(([name, value]) => incorrect(`${name} of ${written.name}`, value, found.attributes[name]));
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
