import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { moneySuite } from "../testing/money-suite.ts";
import { oldStoreSuite } from "../testing/old-store-suite.ts";
import { storeSuite } from "../testing/store-suite.ts";
import { openStore } from "./index.ts";
import { nodeSqlite } from "./node-sqlite.ts";

const open = () => openStore(":memory:");

storeSuite("a SQLite store", open);
moneySuite("SQLite", open);

async function restore(file: URL): Promise<string> {
  const path = join(scratch(), "flows.db");
  writeFileSync(path, gunzipSync(readFileSync(file)));
  return path;
}
oldStoreSuite(".db.gz", restore, open);

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), "store-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

test("a file is its owner's alone, and opens again as it was left", async () => {
  const path = join(scratch(), "new", "flows.db");
  const first = await openStore(path);
  await first.database.insertInto("dirty").values({ session_id: "x", trace_id: null }).execute();
  await first.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const second = await openStore(path);
  expect(await second.database.selectFrom("dirty").select("session_id").execute()).toHaveLength(1);
  await second.close();
});

test("what only reads can't write", async () => {
  const path = join(scratch(), "flows.db");
  await (await openStore(path)).close();
  const store = await openStore(path, { readOnly: true });
  await expect(sql`delete from steps`.execute(store.database)).rejects.toThrow(/readonly/);
  await store.close();
});

test("a store of a newer version is left alone", async () => {
  const path = join(scratch(), "flows.db");
  const store = await openStore(path);
  await sql`insert into store_migrations (name, timestamp) values ('999-later', '2030')`.execute(
    store.database,
  );
  await store.close();
  await expect(openStore(path)).rejects.toThrow(/newer ThoughtFlow, whose schema 999-later/);
});

test("an older Node is told what it lacks", () => {
  expect(() => nodeSqlite("20.20.2")).toThrow(
    /needs Node 22\.16 or newer, and this is Node 20\.20\.2/,
  );
  expect(() => nodeSqlite("22.15.1")).toThrow(/22\.15\.1/);
});

test("an address that is none is named, without its password", async () => {
  await expect(openStore("mysql://me:secret@there/db")).rejects.toThrow(
    'not "mysql://me:***@there/db"',
  );
});

test.runIf(existsSync("/proc/self"))("no file is made below /proc", async () => {
  await expect(openStore("/proc/thoughtflow/new/flows.db")).rejects.toThrow("ENOENT");
});
