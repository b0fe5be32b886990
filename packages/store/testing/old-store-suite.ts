import { readdirSync } from "node:fs";
import { assemble } from "@thoughtflow/assemble";
import { sql } from "kysely";
import { expect, test } from "vitest";
import {
  appendDocument,
  appendRecords,
  deriveSessions,
  documentOf,
  openStore,
  type Store,
} from "../src/index.ts";
import { killedRun, weatherRun } from "./stories.ts";

const VERSIONS = new URL("versions/", import.meta.url);

/** What every version's store was filled with. */
async function fill(store: Store): Promise<void> {
  await appendRecords(store, [...weatherRun("1", "ann"), ...killedRun("3", "bob")]);
  const [session] = assemble(weatherRun("8", "eve"));
  if (session === undefined) throw new Error("no session");
  await appendDocument(store, session, `${JSON.stringify(session)} \n`);
}

const TABLES =
  "records pieces lists sessions graph_runs node_runs llm_traces steps edges thoughts agents snapshots scores prompt_parts";

/** All that a store says, in one order; the numbers that it counts itself excepted. */
async function contentOf({ database }: Store): Promise<Readonly<Record<string, object[]>>> {
  const tables: [string, object[]][] = [];
  for (const name of TABLES.split(" ")) {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(database);
    const shown = rows.map((row) =>
      JSON.stringify({ ...row, ...("id" in row && name === "steps" && { id: 0 }) }),
    );
    tables.push([name, shown.sort().map((row) => JSON.parse(row))]);
  }
  const { rows: texts } = await sql<object>`select s.session_id, s.run, s.step, t.text
    from steps s join step_texts t on t.step_row = s.id order by s.session_id, s.run, s.step`.execute(
    database,
  );
  return { ...Object.fromEntries(tables), texts };
}

/** Stores that earlier versions left are brought up to date. `restore` gives the address of one. */
export function oldStoreSuite(
  ending: string,
  restore: (file: URL) => Promise<string>,
  open: () => Promise<Store>,
): void {
  const files = readdirSync(VERSIONS).filter((name) => name.endsWith(ending));

  test("there is a store of each earlier version", () => expect(files).toHaveLength(5));

  test.each(files)("%s is brought up to date, and says what a new store does", async (file) => {
    const url = await restore(new URL(file, VERSIONS));
    await expect(openStore(url, { readOnly: true })).rejects.toThrow(
      /was made by an older ThoughtFlow.* thoughtflow store load/,
    );
    const [store, fresh] = [await openStore(url), await open()];
    await deriveSessions(store);
    await fill(fresh);
    await deriveSessions(fresh);
    expect(await contentOf(store)).toEqual(await contentOf(fresh));
    for (const id of ["session-1", "session-3"])
      expect(await documentOf(store, id)).toBe(await documentOf(fresh, id));
    // Bytes that were given, with whatever blanks.
    const [given, sameToday] = [
      await documentOf(store, "session-8"),
      await documentOf(fresh, "session-8"),
    ];
    expect(JSON.parse(given ?? "")).toEqual(JSON.parse(sameToday ?? ""));
    expect(await appendRecords(store, weatherRun("1", "ann"))).toBe(0);
    await store.close();
    await fresh.close();
    await (await openStore(url, { readOnly: true })).close();
  });
}
