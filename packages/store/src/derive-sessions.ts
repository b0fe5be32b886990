import { type Kysely, sql, type Transaction } from "kysely";
import { insertRows, portions } from "./insert-rows.ts";
import { rawCallsOf } from "./raw-calls.ts";
import { type SearchableStep, type SessionRows, sessionRows } from "./rows/session-rows.ts";
import type { Store } from "./store.ts";
import { readStoredSession } from "./stored-session.ts";
import type { Tables } from "./tables.ts";

/**
 * Signs of new records that a transaction goes by: each commit waits for the disk, and a process that is killed has done
 * for nothing what it had not committed.
 */
const AT_ONCE = 20;

/** What deriving did. */
export interface DerivedSessions {
  /** Sessions whose tables were written anew, or taken away. */
  readonly sessions: readonly string[];
  /** Those whose tables stay as they were: their records can't be made rows. The records are kept. */
  readonly failed: readonly { readonly session: string; readonly reason: string }[];
}

export interface DeriveSessionsOptions {
  /** Whether what other processes are deriving is waited for, and done where they give up. Default: false. */
  readonly waitsForOthers?: boolean;
}

/**
 * Writes the tables of every session that has new records, until none is left that no other process has claimed. Several
 * processes may do this at once: each claims its own sessions, and what one that is killed had claimed is free again.
 *
 * @throws Error where the database can't go on; what was not derived then is derived by the next call
 */
export async function deriveSessions(
  store: Store,
  { waitsForOthers = false }: DeriveSessionsOptions = {},
): Promise<DerivedSessions> {
  const all: DerivedSessions[] = [];
  do {
    for (;;) {
      const some = await store.database.transaction().execute((tx) => deriveSome(store, tx));
      if (some === undefined) break;
      all.push(some);
    }
  } while (waitsForOthers && (await isLeftByOthers(store)));
  return {
    sessions: [...new Set(all.flatMap(({ sessions }) => sessions))],
    failed: all.flatMap(({ failed }) => failed),
  };
}

/** Once no other process has a claim any more: whether one gave its claim up. */
async function isLeftByOthers({ database, flavour }: Store): Promise<boolean> {
  // In SQLite one transaction at a time writes: whoever claims there has waited already.
  if (flavour.kind === "sqlite") return false;
  const left = await database.selectFrom("dirty").select("id").limit(1).forUpdate().execute();
  return left.length > 0;
}

async function deriveSome(
  store: Store,
  tx: Transaction<Tables>,
): Promise<DerivedSessions | undefined> {
  let claim = tx.selectFrom("dirty").selectAll().orderBy("id").limit(AT_ONCE);
  if (store.flavour.kind === "postgres") claim = claim.forUpdate().skipLocked();
  const claimed = await claim.execute();
  if (claimed.length === 0) return undefined;
  const sessions = new Set(claimed.flatMap(({ session_id }) => session_id ?? []));
  const traces = new Set(claimed.flatMap(({ trace_id }) => trace_id ?? []));
  for (const id of await sessionsOfTraces(tx, [...traces])) sessions.add(id);
  await takeSigns(store, tx, claimed, [...sessions]);
  // In one order: two that want the same sessions wait for each other and never crosswise.
  const derived: string[] = [];
  const failed: DerivedSessions["failed"][number][] = [];
  for (const id of [...sessions].sort()) {
    const reason = await attempt(tx, () => deriveSession({ ...store, database: tx }, id));
    if (reason === undefined) derived.push(id);
    else failed.push({ session: id, reason });
  }
  return { sessions: derived, failed };
}

/** One session that can't be derived must not keep the others from it. Gives the reason why not. */
async function attempt(
  tx: Transaction<Tables>,
  work: () => Promise<void>,
): Promise<string | undefined> {
  await sql`savepoint one`.execute(tx);
  try {
    await work();
    await sql`release savepoint one`.execute(tx);
    return undefined;
  } catch (error) {
    if (isOfDatabase(error)) throw error;
    await sql`rollback to savepoint one`.execute(tx);
    return error instanceof Error ? error.message : String(error);
  }
}

/** Busy, full, shut down, deadlocked: later it may work. Codes of PostgreSQL by class, those of SQLite by number. */
function isOfDatabase(error: unknown): boolean {
  const { code, errcode } = Object(error) as {
    readonly code?: unknown;
    readonly errcode?: unknown;
  };
  return /^(08|40|53|55|57)/.test(String(code)) || [5, 6, 10, 13].includes(Number(errcode));
}

/** All signs that what is read from now on has answered; those that another process has claimed are left to it. */
async function takeSigns(
  { flavour }: Store,
  tx: Transaction<Tables>,
  claimed: readonly { readonly id: number }[],
  sessions: readonly string[],
): Promise<void> {
  let more = tx
    .selectFrom("dirty")
    .select("id")
    .where("session_id", "in", [...sessions]);
  if (flavour.kind === "postgres") more = more.forUpdate().skipLocked();
  const others = sessions.length === 0 ? [] : await more.execute();
  const ids = new Set([...claimed, ...others].map(({ id }) => id));
  for (const some of portions([...ids].map((id) => ({ id }))))
    await tx
      .deleteFrom("dirty")
      .where(
        "id",
        "in",
        some.map(({ id }) => id),
      )
      .execute();
}

/** The sessions that the traces' spans name; where none does, or did before, the one that is named after the trace. */
async function sessionsOfTraces(
  tx: Kysely<Tables>,
  traces: readonly string[],
): Promise<readonly string[]> {
  if (traces.length === 0) return [];
  const named = await tx
    .selectFrom("records")
    .select(["trace_id", "session_id"])
    .distinct()
    .where("trace_id", "in", traces)
    .where("session_id", "is not", null)
    .execute();
  const ownNames = traces.map((trace) => `s_${trace}`);
  const before = await tx
    .selectFrom("sessions")
    .select("session_id")
    .where("session_id", "in", ownNames)
    .execute();
  const placed = new Set(named.map(({ trace_id }) => `s_${trace_id}`));
  return [
    ...[...named, ...before].map(({ session_id }) => session_id ?? ""),
    ...ownNames.filter((name) => !placed.has(name)),
  ];
}

async function deriveSession(store: Store, id: string): Promise<void> {
  const { database, flavour } = store;
  // Two that assemble one session would write its rows crosswise.
  if (flavour.kind === "postgres")
    await sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`.execute(database);
  const stored = await readStoredSession(store, id);
  await database.deleteFrom("sessions").where("session_id", "=", id).execute();
  if (stored === undefined) return;
  const rows = sessionRows(stored.session, stored.scores, rawCallsOf(stored.records));
  await writeRows(store, rows);
}

async function writeRows(
  queries: Store,
  { sessions, steps, ...others }: SessionRows,
): Promise<void> {
  const { database, flavour } = queries;
  await insertRows(queries, "sessions", sessions);
  await insertRows(
    queries,
    "steps",
    steps.map(({ row }) => row),
  );
  const added = await database
    .selectFrom("steps")
    .select(["id", "run", "step"])
    .where("session_id", "=", sessions[0].session_id)
    .execute();
  const ids = new Map(added.map(({ id, run, step }) => [`${run}/${step}`, id]));
  const texts = steps.flatMap(({ row, words }: SearchableStep) => {
    const step_row = ids.get(`${row.run}/${row.step}`);
    return step_row === undefined ? [] : [{ step_row, text: words }];
  });
  await insertRows(queries, "step_texts", texts);
  for (const some of portions(texts.filter(({ text }) => text !== ""))) {
    const values = some.map(({ step_row, text }) =>
      flavour.kind === "sqlite"
        ? sql`(${step_row}, ${text})`
        : sql`(${step_row}, to_tsvector('simple', ${text}))`,
    );
    const key = sql.ref(flavour.kind === "sqlite" ? "rowid" : "step_row");
    await sql`insert into step_search (${key}, words) values ${sql.join(values)}`.execute(database);
  }
  for (const table of Object.keys(others) as (keyof typeof others)[]) {
    await insertRows(queries, table, others[table] as never);
  }
}
