import { CompiledQuery, type Insertable } from "kysely";
import type { DatabaseKind } from "./sql-flavour.ts";
import type { Queries } from "./store.ts";
import type { Tables } from "./tables.ts";

/** Few sizes, so that a database sees few statements and knows each; none has more values than a database takes. */
const SIZES = [256, 32, 4, 1];

/** Rows in as many pieces as a database takes at once. */
export function* portions<T extends object>(rows: readonly T[]): Generator<readonly T[]> {
  let at = 0;
  for (const size of SIZES) {
    for (; rows.length - at >= size; at += size) yield rows.slice(at, at + size);
  }
}

export interface InsertOptions {
  /** What is done with rows whose key is there already: nothing where they pass, else it is an error. */
  readonly passes?: boolean;
}

/**
 * Adds rows to a table, all of the same columns. Their values are parameters, whatever they say.
 *
 * @returns how many were added
 */
export async function insertRows<T extends keyof Tables>(
  { database, flavour }: Queries,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
  { passes = false }: InsertOptions = {},
): Promise<number> {
  let added = 0;
  const columns = Object.keys(rows[0] ?? {}) as (keyof Insertable<Tables[T]> & string)[];
  for (const portion of portions(rows)) {
    // Not "returning": in SQLite that takes as long again.
    const text = insertText(flavour.kind, table, columns, portion.length);
    const values = portion.flatMap((row) => columns.map((column) => row[column]));
    const query = CompiledQuery.raw(passes ? `${text} on conflict do nothing` : text, values);
    added += Number((await database.executeQuery(query)).numAffectedRows);
  }
  return added;
}

const texts = new Map<string, string>();

/** Compiled once: a builder takes as long for it as a database does to insert. */
function insertText(
  kind: DatabaseKind,
  table: string,
  columns: readonly string[],
  count: number,
): string {
  const key = `${kind} ${table} ${count} ${columns.join()}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  let parameter = 0;
  const place = (): string => (kind === "postgres" ? `$${++parameter}` : "?");
  const rows = Array.from({ length: count }, () => `(${columns.map(place).join(", ")})`);
  const text = `insert into ${quoted(table)} (${columns.map(quoted).join(", ")}) values ${rows.join(", ")}`;
  texts.set(key, text);
  return text;
}

function quoted(name: string): string {
  return `"${name}"`;
}
