type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The members that have a value. */
export function present<T extends object>(values: T): Present<T> {
  const kept: Present<T> = {};
  for (const key in values) {
    const value = values[key];
    if (value !== undefined) kept[key] = value as Present<T>[typeof key];
  }
  return kept;
}

/** The same; `undefined` where no member has a value. */
export function membersOrNone(
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const kept: Record<string, unknown> = present(values);
  for (const _ in kept) return kept;
  return undefined;
}
