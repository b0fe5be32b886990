type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The members that have a value. */
export function present<T extends object>(values: T): Present<T> {
  const kept: Present<T> = {};
  for (const key of Object.keys(values) as (keyof T)[]) {
    const value = values[key];
    if (value !== undefined) kept[key] = value as Present<T>[keyof T];
  }
  return kept;
}

/** The same; `undefined` where no member has a value. */
export function membersOrNone(
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const kept: Record<string, unknown> = present(values);
  return Object.keys(kept).length > 0 ? kept : undefined;
}
