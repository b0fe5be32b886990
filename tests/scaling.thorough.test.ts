import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SpanRecord } from "@thoughtflow/schema";
import { deriveSessions, documentOf, openStore, overview } from "@thoughtflow/store";
import { createRandom } from "@thoughtflow/testkit";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { type Served, send, startServing } from "../packages/cli/testing/serving-cli.ts";
import { runCli, startCli } from "../packages/cli/testing/spawned-cli.ts";
import { startPostgres } from "../packages/store/testing/postgres-server.ts";
import { weatherRun } from "../packages/store/testing/stories.ts";

const server = await startPostgres();
afterAll(() => server.stop());

let cwd: string;
const children = new Set<ChildProcess>();
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "serve-store-"));
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(cwd, { recursive: true, force: true });
});

const served = (...options: readonly string[]): Promise<Served> =>
  startServing(options, cwd, children);

/** One session each, some of which only the resource names, or another convention. */
const SESSIONS = 40;
const sessionOf = (n: number): readonly SpanRecord[] =>
  weatherRun(n.toString(16), `user-${n % 7}`).map((record) => {
    const { "session.id": id, ...attributes } = record.attributes;
    if (n % 3 === 1)
      return { ...record, attributes: { ...attributes, "gen_ai.conversation.id": id } };
    return n % 3 === 2 ? { ...record, attributes, resource: { "session.id": id } } : record;
  }) as readonly SpanRecord[];
const nameOf = (n: number): string => `session-${n.toString(16)}`;

test("what a receiver acknowledged while the database was down is there when it is up again", async () => {
  const url = server.createDatabase("outage");
  const { url: to, said } = await served("--dir", "flows", "--store", url);
  expect(await send(to, sessionOf(1))).toBe(200);
  const store = await openStore(url);
  await expect.poll(() => documentOf(store, nameOf(1))).toBeDefined();
  await store.close();

  await server.halt();
  expect(await send(to, sessionOf(2))).toBe(200);
  await expect.poll(said).toMatch(/The store takes nothing: .*127\.0\.0\.1:\d+/);
  const doctor = await runCli(["doctor", "--dir", "flows"], cwd, { THOUGHTFLOW_STORE_URL: url });
  expect(doctor.exitCode).not.toBe(0);
  expect(doctor.stdout).toMatch(
    /store\b.*The store postgres:\/\/flow@127\.0\.0\.1:\d+\/outage can't be opened: .*ECONNREFUSED/,
  );
  const { port } = new URL(url);
  expect(doctor.stdout).toContain(`127.0.0.1:${port}`);

  await server.resume();
  await expect.poll(said).toMatch(/takes records again/);
  const later = await openStore(url);
  for (const n of [1, 2])
    await expect
      .poll(() => documentOf(later, nameOf(n)))
      .toBe(readFileSync(join(cwd, "flows", `${nameOf(n)}.json`), "utf8"));
  await later.close();
});

test("a receiver without files refuses what it can't commit, and takes it when it is sent again", async () => {
  const url = server.createDatabase("refused");
  const { url: to, child } = await served("--stateless", "--store", url);
  await server.halt();
  expect(await send(to, sessionOf(1))).toBe(503);
  await server.resume();
  await expect.poll(() => send(to, sessionOf(1))).toBe(200);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  const store = await openStore(url);
  const { rows } = await overview(store);
  expect(rows).toMatchObject([{ sessions: 1, runs: 1, model_calls: 2 }]);
  await store.close();
  expect(readdirSync(cwd)).toEqual([]);
});

test("four receivers and two assemblers that are killed at random give the documents of one process", async () => {
  const random = createRandom(29);
  const url = server.createDatabase("many");
  await (await openStore(url)).close();
  let kills = 0;
  let isOver = false;

  /** Started anew whenever it was killed. */
  async function keepServing(): Promise<{ current: Served }> {
    const place = { current: await served("--stateless", "--store", url) };
    const next = async (): Promise<void> => {
      while (!isOver) {
        await new Promise((resolve) => setTimeout(resolve, random() * 1500));
        const gone = once(place.current.child, "exit");
        place.current.child.kill("SIGKILL");
        await gone;
        kills++;
        place.current = await served("--stateless", "--store", url);
      }
    };
    lives.push(next());
    return place;
  }
  async function keepAssembling(): Promise<void> {
    while (!isOver) {
      const child = startCli(["store", "assemble", "--store", url], cwd);
      children.add(child);
      const gone = once(child, "exit");
      await new Promise((resolve) => setTimeout(resolve, 400 + random() * 1500));
      child.kill("SIGKILL");
      await gone;
      kills++;
    }
  }
  const lives: Promise<void>[] = [];
  const receivers = await Promise.all([1, 2, 3, 4].map(keepServing));
  lives.push(keepAssembling(), keepAssembling());

  /** In shuffled portions, some twice and to several, until each was acknowledged. */
  async function deliver(records: readonly SpanRecord[]): Promise<void> {
    const left = records.toSorted(() => random() - 0.5);
    while (left.length > 0) {
      const portion = left.splice(0, 1 + Math.floor(random() * 4));
      const times = random() < 0.3 ? 2 : 1;
      for (let sent = 0; sent < times; ) {
        const to = receivers[Math.floor(random() * receivers.length)];
        const status = await send(to?.current.url ?? "", portion);
        if (status === 200) sent++;
        else await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }
  const numbers = Array.from({ length: SESSIONS }, (_, at) => at + 1);
  for (let at = 0; at < SESSIONS; at += 4)
    await Promise.all(numbers.slice(at, at + 4).map((n) => deliver(sessionOf(n))));
  // A fast machine is done before many were killed: then all of it is sent again.
  while (kills < 12) await deliver(sessionOf(1 + (kills % SESSIONS)));
  isOver = true;
  await Promise.all(lives);

  // One process, with files, that was never killed.
  const alone = await served("--dir", "flows");
  for (const n of numbers) expect(await send(alone.url, sessionOf(n))).toBe(200);
  alone.child.kill("SIGTERM");
  await once(alone.child, "exit");

  const store = await openStore(url);
  // The receivers are still at it.
  await deriveSessions(store, { waitsForOthers: true });
  const { rows } = await overview(store);
  expect(rows).toMatchObject([
    { sessions: SESSIONS, runs: SESSIONS, model_calls: 2 * SESSIONS, cost_usd: "0.00466" },
  ]);
  for (const n of numbers)
    expect(await documentOf(store, nameOf(n))).toBe(
      readFileSync(join(cwd, "flows", `${nameOf(n)}.json`), "utf8"),
    );
  await store.close();
});
