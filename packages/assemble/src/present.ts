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
