import { type Kysely, sql } from "kysely";
import type { DatabaseKind } from "../sql-flavour.ts";

/** What is less sure than something is found without a look at all edges; the words of the index can be read. */
export async function searchSooner(database: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  await sql`create index edges_by_confidence on edges (confidence, session_id, run, step) where confidence is not null`.execute(
    database,
  );
  if (kind === "sqlite")
    await sql`create virtual table step_words using fts5vocab(step_search, row)`.execute(database);
}
