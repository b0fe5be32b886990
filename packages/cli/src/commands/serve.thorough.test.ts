import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assemble } from "@thoughtflow/assemble";
import { recoverFlows } from "@thoughtflow/processor/recovery";
import type { Session, SpanRecord } from "@thoughtflow/schema";
import { canonicalJson } from "@thoughtflow/schema/canonical";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SESSIONS, spanOf } from "../../testing/numbered-spans.ts";
import { type Served, send, startServing } from "../../testing/serving-cli.ts";
import { runCli } from "../../testing/spawned-cli.ts";

let cwd: string;
const children = new Set<ChildProcess>();
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "serve-"));
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(cwd, { recursive: true, force: true });
});

const served = (): Promise<Served> => startServing(["--dir", "flows"], cwd, children);

/** Sends until the receiver, killed when it has acknowledged `most`, is gone: what it acknowledged, and the next number. */
async function load({ child, url }: Served, from: number, most: number) {
  const acknowledged: number[] = [];
  let next = from;
  async function sender(): Promise<void> {
    for (;;) {
      const numbers = Array.from({ length: 20 }, () => next++);
      const status = await send(url, numbers.map(spanOf));
      if (status === 200) acknowledged.push(...numbers);
      else if (status === 0) return;
      // At some moment of what the other senders have sent.
      if (acknowledged.length >= most) setTimeout(() => child.kill("SIGKILL"), Math.random() * 20);
    }
  }
  await Promise.all([sender(), sender(), sender()]);
  return { acknowledged, next };
}

test("what was acknowledged is in a file, once, however often the receiver is killed under load", async () => {
  const acknowledged = new Set<number>();
  let next = 1;
  for (let kill = 0; kill < 8; kill += 1) {
    const receiver = await served();
    const exit = once(receiver.child, "exit");
    // Two of them at any moment, also before anything was acknowledged.
    if (kill < 2) setTimeout(() => receiver.child.kill("SIGKILL"), Math.random() * 500);
    const sent = await load(receiver, next, 80 + Math.random() * 400);
    await exit;
    for (const n of sent.acknowledged) acknowledged.add(n);
    next = sent.next;
  }
  expect(acknowledged.size).toBeGreaterThan(500);
  const dir = join(cwd, "flows");
  const { failed } = await recoverFlows(dir);
  expect(failed).toEqual([]);
  const found: number[] = [];
  for (let one = 0; one < SESSIONS; one += 1) {
    const { conversations } = JSON.parse(readFileSync(join(dir, `s${one}.json`), "utf8"));
    for (const { steps } of conversations)
      for (const { label, span_id } of steps)
        if (label === "tool_call") found.push(Number.parseInt(span_id, 16));
  }
  expect(new Set(found).size).toBe(found.length);
  const kept = new Set(found);
  expect([...acknowledged].filter((n) => !kept.has(n))).toEqual([]);
});

test("asked to end, it writes every file and ends with 0", async () => {
  const { child, url, said } = await served();
  const status = await send(url, [spanOf(5)]);
  child.kill("SIGTERM");
  expect([status, await once(child, "close")]).toEqual([200, [0, null]]);
  expect(said()).toBe("1 span taken, 1 document written.\n");
  expect(readFileSync(join(cwd, "flows", "s0.json"), "utf8")).toContain('"result 5"');
});

test("two receivers in one directory that get the same, each in its order and some of it alone, write what one would", async () => {
  const receivers = [await served(), await served()] as const;
  const spans = Array.from({ length: 60 }, (_, n) => spanOf(n + 1));
  const first = spans.filter((_, n) => n % 3 !== 0);
  const second = spans.filter((_, n) => n % 3 !== 1).toReversed();
  const sendTo = async ({ url }: Served, mine: readonly SpanRecord[]) => {
    for (let at = 0; at < mine.length; at += 4) {
      expect(await send(url, mine.slice(at, at + 4))).toBe(200);
    }
  };
  await Promise.all([sendTo(receivers[0], first), sendTo(receivers[1], second)]);
  for (const { child } of receivers) {
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  }
  for (const session of assemble(spans)) {
    const file = readFileSync(join(cwd, "flows", `${session.session_id}.json`), "utf8");
    expect(file).toBe(canonicalJson(session));
  }
});

/** The demo's app, observed where it runs and by a receiver: the sessions of both. */
async function seenTwice(content: boolean): Promise<readonly Record<"local" | "served", Buffer>[]> {
  const { child, url } = await served();
  const env = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: String(content),
    THOUGHTFLOW_DIR: "local",
  };
  const { exitCode, stderr } = await runCli(["demo"], cwd, env);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  const names = readdirSync(join(cwd, "local")).filter((name) => name.endsWith(".json"));
  expect(names).toHaveLength(4);
  return names.map((name) => ({
    local: readFileSync(join(cwd, "local", name)),
    served: readFileSync(join(cwd, "flows", name)),
  }));
}

test("spans with content give the bytes that the app itself writes", async () => {
  for (const { local, served } of await seenTwice(true)) expect(served.equals(local)).toBe(true);
});

/** Its steps and edges, but for snapshots: what they are named after is content. */
function structureOf(document: Buffer) {
  const { conversations }: Session = JSON.parse(document.toString());
  const isSnapshot = (id: string) => id.startsWith("snp_");
  return conversations.flatMap(({ steps }) =>
    steps
      .filter(({ step_id }) => !isSnapshot(step_id))
      .map(({ step_id, label, edges = [] }) => ({
        step_id,
        label,
        edges: edges.filter(({ to }) => !isSnapshot(to)),
      })),
  );
}

test("spans without content give the same steps and edges, without snapshots", async () => {
  for (const { local, served } of await seenTwice(false)) {
    expect(structureOf(served)).toEqual(structureOf(local));
    expect(served.includes("Seattle")).toBe(false);
  }
});
