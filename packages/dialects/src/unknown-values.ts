/** Readers for provider objects of unknown shape: a wrong type reads as absent, nothing throws. */

/** The value's properties; none when it is no object. */
export function propertiesOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** The items of a list; none when it is no list. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A string that holds something, else `undefined`. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A finite number, else `undefined`. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The entries that are there: attributes and parts are built with `undefined` for what is absent. */
export function present<Value>(
  entries: Readonly<Record<string, Value | undefined>>,
): Record<string, Value> {
  const kept: Record<string, Value> = {};
  for (const key in entries) {
    const value = entries[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}
