/**
 * How fast a store takes records in, and writes its tables.
 *
 *     node benchmarks/store/intake.mjs [--write]
 *
 * `--write` puts the table into README.md. PostgreSQL is the system's, started for this on a free port.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appendRecords, deriveSessions, openStore, overview } from "@thoughtflow/store";
import { startPostgres } from "../../packages/store/testing/postgres-server.ts";
import { machine, report, table } from "../report.mjs";
import { median } from "../statistics.mjs";
import { recordsOf } from "./made-sessions.mjs";

const RECORDS = 20_000;
const A_TRANSACTION = 1000;
/** Transactions that are under way at the same time: a database of several processors commits them side by side. */
const WRITERS = 4;
const SESSIONS = 100;
const ROUNDS = 3;

const seconds = (from) => (performance.now() - from) / 1000;
const perSecond = (rates) => `${Math.round(median(rates)).toLocaleString("en")} a second`;

/** Records of 2 KiB, each of its own. */
function records() {
  const [one] = recordsOf(0);
  const note = "what the tool found out, at some length; ".repeat(42);
  return Array.from({ length: RECORDS }, (_, number) => ({
    ...one,
    traceId: number.toString(16).padStart(32, "0"),
    attributes: { "session.id": `appended-${number % 100}`, note },
  }));
}

/** How many are committed in a second. */
async function appendRate(url, writers) {
  const all = records();
  const store = await openStore(url);
  const from = performance.now();
  let next = 0;
  const write = async () => {
    for (let at = next; at < all.length; at = next) {
      next += A_TRANSACTION;
      await appendRecords(store, all.slice(at, at + A_TRANSACTION));
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  const rate = all.length / seconds(from);
  await store.close();
  return rate;
}

/** How many steps' rows are written in a second. */
async function deriveRate(url) {
  const store = await openStore(url);
  for (let session = 0; session < SESSIONS; session++)
    await appendRecords(store, [...recordsOf(session)]);
  const from = performance.now();
  await deriveSessions(store);
  const took = seconds(from);
  const { rows } = await overview(store);
  await store.close();
  return rows[0].steps / took;
}

const dir = mkdtempSync(join(tmpdir(), "thoughtflow-store-"));
const postgres = await startPostgres();
const rates = { appended: [], appendedThere: [], derived: [], derivedThere: [] };
for (let round = 0; round < ROUNDS; round++) {
  const [file, database] = [join(dir, `${round}.db`), (name) => postgres.createDatabase(name)];
  rates.appended.push(await appendRate(`${file}-append`, 1));
  rates.appendedThere.push(await appendRate(database(`append_${round}`), WRITERS));
  rates.derived.push(await deriveRate(file));
  rates.derivedThere.push(await deriveRate(database(`derive_${round}`)));
}
await postgres.stop();
rmSync(dir, { recursive: true });

report("store-intake", [
  ...table(
    ["what", "SQLite", "PostgreSQL"],
    [
      ["records of 2 KiB, acknowledged", perSecond(rates.appended), perSecond(rates.appendedThere)],
      ["steps, written into the tables", perSecond(rates.derived), perSecond(rates.derivedThere)],
    ],
  ),
  "",
  `${A_TRANSACTION.toLocaleString("en")} records a transaction, each synced to disk; into PostgreSQL ${WRITERS} transactions at a time. The middle of ${ROUNDS} rounds. One process that writes, and the database on the same machine. ${machine()}.`,
]);
