import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recoverFlows } from "@thoughtflow/processor/recovery";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SESSIONS, spanOf } from "../../testing/numbered-spans.ts";
import { send, startServing } from "../../testing/serving-cli.ts";

let cwd: string;
const children = new Set<ChildProcess>();
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "serve-workers-"));
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(cwd, { recursive: true, force: true });
});

/** Whoever has a journal: the names of its files begin with the process. */
function workers(): readonly number[] {
  const names = readdirSync(join(cwd, "flows", ".journal"));
  return [...new Set(names.map((name) => Number.parseInt(name, 10)).filter((pid) => pid > 0))];
}

function foundNumbers(): readonly number[] {
  return Array.from({ length: SESSIONS }, (_, one) => {
    const { conversations } = JSON.parse(readFileSync(join(cwd, "flows", `s${one}.json`), "utf8"));
    return conversations.flatMap(({ steps }: { steps: { label: string; span_id: string }[] }) =>
      steps
        .filter(({ label }) => label === "tool_call")
        .map(({ span_id }) => Number.parseInt(span_id, 16)),
    );
  }).flat();
}

/** The status of an answer on a connection of its own; `"closed"` where none comes. */
async function askedAnew(url: string): Promise<number | "closed" | undefined> {
  try {
    const [{ statusCode }] = await once(get(url, { agent: false }), "response");
    return statusCode;
  } catch {
    return "closed";
  }
}

test("workers share a port, and one that is killed under load is replaced: what was acknowledged is in a file, once", async () => {
  const options = ["--dir", "flows", "--workers", "2"];
  const { child, url, said } = await startServing(options, cwd, children);
  const acknowledged: number[] = [];
  const killed = new Set<number>();
  let next = 1;
  async function sender(): Promise<void> {
    while (acknowledged.length < 4_000 || killed.size < 4) {
      const numbers = Array.from({ length: 20 }, () => next++);
      const status = await send(url, numbers.map(spanOf));
      if (status === 200) acknowledged.push(...numbers);
      const victim = workers().findLast((pid) => !killed.has(pid));
      if (victim === undefined || acknowledged.length < (killed.size + 1) * 800) continue;
      killed.add(victim);
      setTimeout(() => process.kill(victim, "SIGKILL"), Math.random() * 20);
    }
  }
  await Promise.all([sender(), sender(), sender(), sender()]);
  // The last one may die just now.
  const replaced = () => said().match(/ended SIGKILL; another takes its place/g)?.length;
  await expect.poll(replaced, { timeout: 10_000 }).toBe(killed.size);
  const metrics = () =>
    fetch(url.replace("/v1/traces", "/metrics")).then(
      (answer) => answer.text(),
      () => "no answer",
    );
  await expect
    .poll(metrics, { timeout: 10_000 })
    .toMatch(/^thoughtflow_receiver_spans_total \d+$/m);
  expect(said()).not.toContain("listen");
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  const { failed } = await recoverFlows(join(cwd, "flows"));
  expect(failed).toEqual([]);
  const found = foundNumbers();
  expect(new Set(found).size).toBe(found.length);
  const kept = new Set(found);
  expect(acknowledged.filter((n) => !kept.has(n))).toEqual([]);
});

test("a connection that a worker was handed, and died before it took, is closed", async () => {
  const options = ["--dir", "flows", "--workers", "2"];
  const { child, url } = await startServing(options, cwd, children);
  const asked = () => askedAnew(url.replace("/v1/traces", "/healthz"));
  // At the same time, so that both get some.
  do await Promise.all([1, 2, 3, 4].map((n) => send(url, [spanOf(n)])));
  while (workers().length < 2);
  const [stopped] = workers();
  process.kill(stopped as number, "SIGSTOP");
  // Whoever is stopped is handed one of them, and takes none.
  const waiting = [asked(), asked(), asked()];
  expect(await asked()).toBe(200);
  process.kill(stopped as number, "SIGKILL");
  expect((await Promise.all(waiting)).toSorted()).toEqual([200, 200, "closed"]);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("a port that is taken ends it with a reason, said once", async () => {
  const { url } = await startServing(["--dir", "flows"], cwd, children);
  const { port } = new URL(url);
  const other = startServing(["--dir", "b", "--workers", "3", "--port", port], cwd, children);
  await expect(other).rejects.toThrow(/It can't listen on 127\.0\.0\.1:\d+/);
});
