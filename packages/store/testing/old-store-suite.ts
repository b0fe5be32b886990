import { readdirSync } from "node:fs";
import { assemble } from "@thoughtflow/assemble";
import { canonicalJson } from "@thoughtflow/schema";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { deriveSessions, documentOf, openStore, tokensByPart } from "../src/index.ts";
import { killedRun, weatherRun } from "./stories.ts";

const VERSIONS = new URL("versions/", import.meta.url);

/** Stores that earlier versions left are brought up to date. `restore` gives the address of one. */
export function oldStoreSuite(ending: string, restore: (file: URL) => Promise<string>): void {
  const files = readdirSync(VERSIONS).filter((name) => name.endsWith(ending));

  test("there is a store of an earlier version", () => expect(files).not.toEqual([]));

  test.each(files)("%s is brought up to date, and loses nothing", async (file) => {
    const url = await restore(new URL(file, VERSIONS));
    await expect(openStore(url, { readOnly: true })).rejects.toThrow(
      /was made by an older ThoughtFlow.* thoughtflow store load/,
    );
    const store = await openStore(url);
    const { sessions } = await deriveSessions(store);
    expect([...sessions].sort()).toEqual(["session-1", "session-3", "session-8"]);
    for (const records of [weatherRun("1", "ann"), killedRun("3", "bob")]) {
      const [session] = assemble(records);
      expect(await documentOf(store, session?.session_id ?? "")).toBe(
        session && canonicalJson(session),
      );
    }
    const given = JSON.parse((await documentOf(store, "session-8")) ?? "");
    expect(given).toMatchObject({ session_id: "session-8", user: "eve" });
    const { rows } = await tokensByPart(store);
    expect(rows.every(({ cost_usd }) => cost_usd !== null)).toBe(true);
    const { rows: days } = await sql`select distinct price_date from llm_traces`.execute(
      store.database,
    );
    expect(days).toEqual(expect.arrayContaining([{ price_date: "2026-01-01" }]));
    await store.close();
    await (await openStore(url, { readOnly: true })).close();
  });
}
