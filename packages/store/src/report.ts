/**
 * What a column of a report holds; money is exact decimal text in US dollars, a moment ISO 8601, a duration
 * milliseconds, a rate between 0 and 1.
 */
export type ColumnType = "text" | "integer" | "number" | "money" | "moment" | "duration" | "rate";

export type Value = string | number | null;

/** An answer: flat rows, each with the same columns in the same order. */
export interface Report {
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  readonly rows: readonly Readonly<Record<string, Value>>[];
}

/** Columns by name, in the order in which they are shown. */
export type Columns = Readonly<Record<string, ColumnType>>;

/** Rows as a report: what a row has not is null. */
export function report(columns: Columns, rows: readonly object[]): Report {
  const names = Object.keys(columns);
  return {
    columns: Object.entries(columns).map(([name, type]) => ({ name, type })),
    rows: rows.map((row) => {
      const values = row as Readonly<Record<string, Value | undefined>>;
      return Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
    }),
  };
}
