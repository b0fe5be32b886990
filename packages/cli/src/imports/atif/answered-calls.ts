import { toText } from "@thoughtflow/semconv";
import { isObject, listOf, membersOf, type PlainObject, textOf } from "../plain-values.ts";

/** What a step was given. */
export function resultsIn({ observation }: PlainObject): readonly PlainObject[] {
  return listOf(membersOf(observation)["results"]).filter(isObject);
}

/**
 * The calls of a step that each of its results answers. One that names none answers the next that no result names, and the last of
 * them all that are left: a terminal is seen once all keys were sent.
 */
export function answeredBy(step: PlainObject): ReadonlyMap<PlainObject, readonly string[]> {
  const results = resultsIn(step);
  const named = new Set(results.map(callIn));
  const left = listOf(step["tool_calls"])
    .map((call) => toText(membersOf(call)["tool_call_id"]))
    .filter((id) => !named.has(id));
  const last = results.findLast((result) => callIn(result) === undefined);
  return new Map(
    results.map((result) => {
      const own = callIn(result);
      if (own !== undefined) return [result, [own]];
      return [result, left.splice(0, result === last ? left.length : 1)];
    }),
  );
}

function callIn({ source_call_id: id }: PlainObject): string | undefined {
  return textOf(id);
}
