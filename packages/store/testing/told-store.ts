import { sql } from "kysely";
import { appendRecords, deriveSessions, type Store } from "../src/index.ts";
import { killedRun, weatherRun } from "./stories.ts";

/** An empty store filled with three sessions: of Ann, of Bob, whose run failed, and of Ann, whose run was killed. */
export async function toldStore(open: () => Promise<Store>): Promise<Store> {
  const store = await open();
  await appendRecords(store, [
    ...weatherRun("1", "ann"),
    ...weatherRun("2", "bob", { status: { code: "error", message: "no reply" } }),
    ...killedRun("3", "ann"),
  ]);
  await deriveSessions(store);
  return store;
}

/** What a query in SQL gives. */
export async function rowsIn(store: Store, query: string): Promise<readonly object[]> {
  const { rows } = await sql<object>`${sql.raw(query)}`.execute(store.database);
  return rows.map((row) => ({ ...row }));
}
