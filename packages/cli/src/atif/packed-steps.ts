import { isObject, type PlainObject } from "../imports/plain-values.ts";

/** A text that stands in a step of the trajectory already: where. */
const REFERENCE = "$atif";
/** Shorter ones are not worth a reference. */
const LEAST = 24;

/** The value with each text that the trajectory's step holds anyway replaced by where it stands there. */
export function packed(value: unknown, trajectoryStep: PlainObject): unknown {
  const places = new Map<string, string>();
  for (const [path, text] of textsIn(trajectoryStep, ""))
    if (text.length >= LEAST && !places.has(text)) places.set(text, path);
  return replaced(value, (one) => {
    const place = typeof one === "string" ? places.get(one) : undefined;
    return place === undefined ? undefined : { [REFERENCE]: place };
  });
}

/** What was packed. */
export function unpacked(value: unknown, trajectoryStep: PlainObject): unknown {
  return replaced(value, (one) => {
    const place = isObject(one) ? one[REFERENCE] : undefined;
    return typeof place === "string" ? at(trajectoryStep, place.split("/")) : undefined;
  });
}

function replaced(value: unknown, by: (value: unknown) => unknown): unknown {
  const other = by(value);
  if (other !== undefined) return other;
  if (Array.isArray(value)) return value.map((one) => replaced(one, by));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, by)]));
}

function* textsIn(value: unknown, path: string): Generator<readonly [path: string, text: string]> {
  if (typeof value === "string") yield [path, value];
  else if (typeof value === "object" && value !== null)
    for (const [name, one] of Object.entries(value))
      if (name !== "extra" && !name.includes("/"))
        yield* textsIn(one, path === "" ? name : `${path}/${name}`);
}

function at(value: unknown, path: readonly string[]): unknown {
  let one = value;
  for (const name of path) one = (one as Record<string, unknown> | undefined)?.[name];
  return one ?? "";
}
