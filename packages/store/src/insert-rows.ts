import type { Insertable, Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** Databases take some 32,000 values a statement. */
const MOST_VALUES = 30_000;
const MOST_ROWS = 500;

/** Rows in as many pieces as a database takes at once. */
export function* portions<T extends object>(rows: readonly T[]): Generator<readonly T[]> {
  const columns = Math.max(1, Object.keys(rows[0] ?? {}).length);
  const size = Math.min(MOST_ROWS, Math.floor(MOST_VALUES / columns));
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

/** Adds rows to a table. */
export async function insertRows<T extends keyof Tables>(
  database: Kysely<Tables>,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
): Promise<void> {
  for (const portion of portions(rows)) {
    await database
      .insertInto(table)
      .values(portion as never)
      .execute();
  }
}
