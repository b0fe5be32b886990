import type { FlowRecord } from "@thoughtflow/schema";
import type { Insertable, Kysely } from "kysely";
import { insertRows, portions } from "./insert-rows.ts";
import { rowsOfRecords } from "./record-rows.ts";
import type { Queries } from "./store.ts";
import type { DirtyTable, Tables } from "./tables.ts";

/**
 * Adds records, in one transaction: acknowledged means durable. Records that are there already change nothing. What they
 * belong to is derived later, by `deriveSessions`.
 *
 * @returns how many were new
 */
export async function appendRecords(
  { database }: Queries,
  records: Iterable<FlowRecord>,
): Promise<number> {
  const rows = rowsOfRecords(records);
  if (rows.records.length === 0) return 0;
  return await database.transaction().execute(async (tx) => {
    // In one order, so that two writers of the same rows wait for each other and never crosswise.
    await insertMissing(tx, "pieces", rows.pieces.toSorted(by((row) => row.scope + row.sha256)));
    await insertMissing(tx, "lists", rows.lists.toSorted(by((row) => row.scope + row.id)));
    const fresh: { readonly session_id: string | null; readonly trace_id: string | null }[] = [];
    for (const portion of portions(rows.records.toSorted(by((row) => row.digest)))) {
      const added = await tx
        .insertInto("records")
        .values([...portion])
        .onConflict((conflict) => conflict.column("digest").doNothing())
        .returning(["session_id", "trace_id"])
        .execute();
      fresh.push(...added);
    }
    await insertRows(tx, "dirty", dirtyRows(fresh));
    return fresh.length;
  });
}

async function insertMissing<T extends "pieces" | "lists">(
  database: Kysely<Tables>,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
): Promise<void> {
  for (const portion of portions(rows)) {
    await database
      .insertInto(table)
      .values(portion as never)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Each session and trace once: a span may be what others of its trace, in whatever session, were waiting for. */
function dirtyRows(
  records: readonly { readonly session_id: string | null; readonly trace_id: string | null }[],
): readonly Insertable<DirtyTable>[] {
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
