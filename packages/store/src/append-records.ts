import type { FlowRecord } from "@thoughtflow/schema";
import type { Insertable, Transaction } from "kysely";
import { insertRows, portions } from "./insert-rows.ts";
import { type RecordRow, rowsOfRecords } from "./record-rows.ts";
import type { Queries } from "./store.ts";
import type { DirtyTable, Tables } from "./tables.ts";

/**
 * Adds records, in one transaction: acknowledged means durable. Records that are there already change nothing. What they
 * belong to is derived later, by `deriveSessions`.
 *
 * @returns how many were new
 */
export async function appendRecords(
  { database, flavour }: Queries,
  records: Iterable<FlowRecord>,
): Promise<number> {
  const rows = rowsOfRecords(records);
  if (rows.records.length === 0) return 0;
  return await database.transaction().execute(async (tx) => {
    const inside = { database: tx, flavour };
    // In one order, so that two writers of the same rows wait for each other and never crosswise.
    const pieces = rows.pieces.toSorted(by((row) => row.scope + row.sha256));
    await insertRows(inside, "pieces", pieces, { passes: true });
    const lists = rows.lists.toSorted(by((row) => row.scope + row.id));
    await insertRows(inside, "lists", lists, { passes: true });
    const fresh = await withoutKnown(tx, rows.records);
    const records = fresh.toSorted(by((row) => row.digest));
    const added = await insertRows(inside, "records", records, { passes: true });
    // Another writer may have been faster with some: those are derived once more, which changes nothing.
    await insertRows(inside, "dirty", dirtyRows(fresh));
    return added;
  });
}

/** The records that the store does not have. */
async function withoutKnown(
  tx: Transaction<Tables>,
  records: readonly RecordRow[],
): Promise<readonly RecordRow[]> {
  const known = new Set<string>();
  for (const some of portions(records)) {
    const found = await tx
      .selectFrom("records")
      .select("digest")
      .where(
        "digest",
        "in",
        some.map(({ digest }) => digest),
      )
      .execute();
    for (const { digest } of found) known.add(digest);
  }
  return records.filter(({ digest }) => !known.has(digest));
}

/** Each session and trace once: a span may be what others of its trace, in whatever session, were waiting for. */
function dirtyRows(records: readonly RecordRow[]): readonly Insertable<DirtyTable>[] {
  const rows = new Map<string, Insertable<DirtyTable>>();
  for (const { session_id, trace_id } of records) {
    const row = { session_id, trace_id };
    rows.set(JSON.stringify(row), row);
  }
  return [...rows.values()];
}

function by<T>(key: (row: T) => string): (a: T, b: T) => number {
  return (a, b) => (key(a) < key(b) ? -1 : 1);
}
