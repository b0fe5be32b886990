import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { assemble } from "@thoughtflow/assemble";
import { canonicalJson } from "@thoughtflow/schema";
import { createRandom } from "@thoughtflow/testkit";
import { sql } from "kysely";
import { deriveSessions, documentOf, openStore, overview, type Store } from "../src/index.ts";
import { weatherRun } from "./stories.ts";

/** A process of `worker.ts`, and which sessions it may write. */
interface Job {
  readonly what: "write" | "derive";
  readonly first: number;
  readonly last: number;
}

/** What came of it. */
interface Killings {
  readonly kills: number;
  /** Sessions that some writer was told are durable. */
  readonly acknowledged: ReadonlySet<number>;
}

const SESSIONS = 60;
/** Of each session. */
const RECORDS = 5;

/** Both writers write some of the same sessions. */
const JOBS: readonly Job[] = [
  { what: "write", first: 1, last: 40 },
  { what: "write", first: 21, last: SESSIONS },
  { what: "derive", first: 0, last: 0 },
  { what: "derive", first: 0, last: 0 },
];

/** Two that write into a store and two that derive are killed so often at random moments; says what was lost or doubled. */
export async function lossesUnderKills(
  url: string,
  kills: number,
  seed: number,
): Promise<readonly string[]> {
  const { kills: killed, acknowledged } = await killWriters(url, JOBS, kills, seed);
  const store = await openStore(url);
  try {
    const durable = await recordsBySession(store);
    const lost = [...acknowledged].filter((one) => durable.get(`session-${one}`) !== RECORDS);
    await runOnce(url, JOBS);
    await deriveSessions(store, { waitsForOthers: true });
    return [
      ...(killed < kills ? [`only ${killed} were killed`] : []),
      ...(acknowledged.size === 0 ? ["nothing was acknowledged"] : []),
      ...lost.map((one) => `session-${one} was acknowledged and is not there`),
      ...(await differences(store)),
    ];
  } finally {
    await store.close();
  }
}

/** In what a store differs from one in which every session was written once. */
async function differences(store: Store): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [id, count] of await recordsBySession(store))
    if (count !== RECORDS) problems.push(`${id} has ${count} records`);
  const { rows } = await overview(store);
  const { sessions, runs, model_calls, cost_usd } = rows[0] ?? {};
  const counted = JSON.stringify({ sessions, runs, model_calls, cost_usd });
  const expected = {
    sessions: SESSIONS,
    runs: SESSIONS,
    model_calls: 2 * SESSIONS,
    cost_usd: "0.00699",
  };
  if (counted !== JSON.stringify(expected)) problems.push(`the tables say ${counted}`);
  for (let number = 1; number <= SESSIONS; number++) {
    const [session] = assemble(weatherRun(String(number), `user-${number % 7}`));
    const document = await documentOf(store, `session-${number}`);
    if (session === undefined || document !== canonicalJson(session))
      problems.push(`session-${number} has another document`);
  }
  return problems;
}

async function recordsBySession({ database }: Store): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ session_id: string; count: number }>`
    select session_id, count(*) as count from records group by session_id`.execute(database);
  return new Map(rows.map(({ session_id, count }) => [session_id, count]));
}

const WORKER = join(import.meta.dirname, "worker.ts");

/** Keeps the jobs' processes running and kills them at random moments, as often as is said; then lets them end by themselves. */
async function killWriters(
  url: string,
  jobs: readonly Job[],
  kills: number,
  seed: number,
): Promise<Killings> {
  const random = createRandom(seed);
  const acknowledged = new Set<number>();
  let killed = 0;

  async function keepRunning({ what, first, last }: Job): Promise<void> {
    while (killed < kills) {
      const child = start([what, url, String(first), String(last)]);
      await new Promise<void>((resolve, reject) => {
        child.on("message", (said) => {
          if (typeof said === "number") acknowledged.add(said);
          // Somewhere in what it does next.
          if (said === "ready") setTimeout(() => child.kill("SIGKILL"), random() * 80);
        });
        child.once("exit", (code, signal) =>
          signal === "SIGKILL" ? resolve() : reject(new Error(`${what} ended with ${code}`)),
        );
      });
      killed++;
    }
  }

  await Promise.all(jobs.map(keepRunning));
  return { kills: killed, acknowledged };
}

/** Runs each job once, from its beginning to its end, one after the other. */
async function runOnce(url: string, jobs: readonly Job[]): Promise<void> {
  for (const { what, first, last } of jobs) {
    const child = start([what, url, String(first), String(last)]);
    child.once("message", () => child.send("end"));
    const code = await new Promise((resolve) => child.once("exit", resolve));
    if (code !== 0) throw new Error(`${what} ended with ${code}`);
  }
}

function start(args: readonly string[]): ChildProcess {
  // The built packages, which are loaded in half the time: most of what kills take is that their processes start anew.
  return fork(WORKER, [...args], { execArgv: [] });
}
