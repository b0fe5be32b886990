import { readFileSync } from "node:fs";
import { assemble } from "@thoughtflow/assemble";
import { canonicalJson } from "@thoughtflow/schema";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { killWriters, runOnce } from "../testing/kill-writers.ts";
import { oldStoreSuite } from "../testing/old-store-suite.ts";
import { startPostgres } from "../testing/postgres-server.ts";
import { storeSuite } from "../testing/store-suite.ts";
import { weatherRun } from "../testing/stories.ts";
import {
  appendRecords,
  deriveSessions,
  documentOf,
  openStore,
  overview,
  readOnlySql,
} from "./index.ts";

const server = await startPostgres();
afterAll(() => server.stop());
let databases = 0;

/** An address of an empty database. */
const fresh = (): string => server.createDatabase(`flows_${++databases}`);

storeSuite("a PostgreSQL store", () => openStore(fresh()));

oldStoreSuite(".sql", async (file) => {
  const url = fresh();
  const client = new pg.Client(url);
  await client.connect();
  await client.query(readFileSync(file, "utf8"));
  await client.end();
  return url;
});

test("of several that open a new database at once, one makes the tables", async () => {
  const url = fresh();
  const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(url)));
  await Promise.all(stores.map((store) => appendRecords(store, weatherRun("1", "ann"))));
  const derived = await Promise.all(stores.map((store) => deriveSessions(store)));
  expect(derived.flatMap(({ sessions }) => sessions)).toContain("session-1");
  for (const store of stores) await store.close();
});

test("what another process is deriving is left to it, or waited for and done where it gives up", async () => {
  const url = fresh();
  const store = await openStore(url);
  await appendRecords(store, weatherRun("1", "ann"));
  const other = new pg.Client(url);
  await other.connect();
  await other.query("begin");
  await other.query("select * from dirty for update");

  expect(await deriveSessions(store)).toEqual({ sessions: [], failed: [] });
  const patient = deriveSessions(store, { waitsForOthers: true });
  const { rows } = await vi.waitUntil(async () => {
    const waiting = await other.query(
      "select wait_event_type from pg_locks join pg_stat_activity using (pid) where not granted",
    );
    return waiting.rowCount === 0 ? undefined : waiting;
  });
  expect(rows).toEqual([{ wait_event_type: "Lock" }]);
  await other.end();
  expect(await patient).toEqual({ sessions: ["session-1"], failed: [] });
  await store.close();
});

test("somebody's SQL can't write, nor be more than one statement", async () => {
  const url = fresh();
  await (await openStore(url)).close();
  const store = await openStore(url, { readOnly: true });
  for (const query of [
    "delete from steps",
    "with gone as (delete from steps returning 1) select * from gone",
    "select 1) as a; drop table steps; --",
    "select set_config('transaction_read_only', 'off', false)) as a; delete from steps; --",
    "select nextval('steps_id_seq')",
  ])
    await expect(readOnlySql(store, query, 5), query).rejects.toThrow(/The database says/);
  expect((await readOnlySql(store, "select 1 as one -- yes;", 5)).rows).toEqual([{ one: 1 }]);
  await store.close();
});

const SESSIONS = 60;

test("a hundred kills of two writers and two that derive lose nothing and double nothing", {
  timeout: 900_000,
}, async () => {
  const url = fresh();
  await (await openStore(url)).close();
  // Both write some of the same sessions.
  const jobs = [
    { what: "write", first: 1, last: 40 },
    { what: "write", first: 21, last: SESSIONS },
    { what: "derive", first: 0, last: 0 },
    { what: "derive", first: 0, last: 0 },
  ] as const;
  const { kills, acknowledged } = await killWriters(url, jobs, 100, 17);
  expect(kills).toBeGreaterThanOrEqual(100);
  const store = await openStore(url);
  const spansOf = async (): Promise<ReadonlyMap<string, number>> => {
    const { rows } = await sql<{ session_id: string; spans: number }>`
        select session_id, count(*) as spans from records group by session_id`.execute(
      store.database,
    );
    return new Map(rows.map(({ session_id, spans }) => [session_id, spans]));
  };
  const durable = await spansOf();
  const lost = [...acknowledged].filter((session) => durable.get(`session-${session}`) !== 5);
  expect({ acknowledged: acknowledged.size > 0, lost }).toEqual({ acknowledged: true, lost: [] });

  await runOnce(url, [jobs[0], jobs[1], jobs[2]]);
  await deriveSessions(store, { waitsForOthers: true });
  expect([...(await spansOf()).values()]).toEqual(Array(SESSIONS).fill(5));
  const { rows } = await overview(store);
  expect(rows).toMatchObject([
    { sessions: SESSIONS, runs: SESSIONS, model_calls: 2 * SESSIONS, cost_usd: "0.00699" },
  ]);
  for (let session = 1; session <= SESSIONS; session++) {
    const [expected] = assemble(weatherRun(String(session), `user-${session % 7}`));
    expect(await documentOf(store, `session-${session}`)).toBe(expected && canonicalJson(expected));
  }
  await store.close();
});
