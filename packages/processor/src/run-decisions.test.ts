import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "@thoughtflow/schema";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Flow, flowOn } from "../testing/flow-on.ts";

const MINUTE = 60_000;

let dir = "";
let now = 0;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "thoughtflow-decisions-"));
  now = 0;
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function watched(): Flow {
  return flowOn(join(dir, "flow"), { now: () => now, lookEveryMs: 5 });
}

function statusesIn({ conversations }: Session): Readonly<Record<string, string | undefined>> {
  const steps = conversations.flatMap((run) => run.steps);
  const recorded = steps.filter(({ origin }) => origin === "recorded");
  return Object.fromEntries(recorded.map(({ step_id, status }) => [step_id, status]));
}

/** So many minutes pass in which the app is silent; then what was decided is in the document. */
async function silence(flow: Flow, minutes: number, done: (session: Session) => boolean) {
  now += minutes * MINUTE;
  await vi.waitFor(
    async () => {
      await flow.writer.flush();
      expect(done(flow.session())).toBe(true);
    },
    { timeout: 60_000, interval: 10 },
  );
  return flow.session();
}

test("a session in which nothing is open is over after half an hour, once, until another run begins", async () => {
  const flow = watched();
  flow.step("a");
  await flow.writer.flush();
  const before = flow.session();
  expect(before).toMatchObject({ status: "completed", revision: 2 });
  expect(before.status_reason).toBeUndefined();

  const idle = await silence(flow, 31, ({ status_reason }) => status_reason !== undefined);
  expect(idle).toMatchObject({ status: "completed", status_reason: "idle_timeout", revision: 3 });
  now += 31 * MINUTE;
  const root = flow.start("b");
  expect(await silence(flow, 1, ({ status }) => status === "active")).toMatchObject({
    reopened: true,
    revision: 4,
  });
  root.end();
  await flow.writer.flush();
  const again = flow.session();
  expect(again).toMatchObject({ status: "completed", reopened: true, revision: 5 });
  expect(again.status_reason).toBeUndefined();
});

test("a session is not over while something is open, however long it takes; a silent run is stalled", async () => {
  const flow = watched();
  const root = flow.start("root");
  const waiting = flow.start("waiting", root);
  const isStalled = ({ conversations: [run] }: Session) => run?.status_reason === "stalled";

  now += 9 * MINUTE;
  flow.step("quick", root);
  const stalled = await silence(flow, 11, isStalled);
  expect(stalled.status).toBe("active");
  expect(stalled.conversations[0]).toMatchObject({ status: "running", status_reason: "stalled" });
  expect(stalled.warnings?.map(({ code }) => code)).toEqual(["stalled_step", "stalled_step"]);
  expect(statusesIn(stalled)).toEqual({ root: "running", waiting: "running", quick: "ok" });

  await silence(flow, 60, isStalled);
  waiting.end();
  root.end();
  await flow.writer.flush();
  const ended = flow.session();
  expect(ended).toMatchObject({ status: "completed", completeness: { status: "complete" } });
  expect(ended.warnings).toBeUndefined();
  expect(ended.conversations[0]?.status_reason).toBeUndefined();
});

test("a span that ends hours after its run and its session are over joins them", async () => {
  const flow = watched();
  const root = flow.start("root");
  const late = flow.start("late", root);
  root.end();
  const before = await silence(flow, 1, ({ revision = 0 }) => revision >= 3);
  expect(statusesIn(before)).toEqual({ root: "ok", late: "running" });
  now += 180 * MINUTE;
  late.end();
  await flow.writer.flush();
  const { revision = 0, conversations, completeness } = flow.session();
  expect(revision).toBeGreaterThan(before.revision ?? 0);
  expect(conversations).toHaveLength(1);
  expect(statusesIn(flow.session())).toEqual({ root: "ok", late: "ok" });
  expect(completeness).toEqual({ status: "complete" });
});

test("what is open when the process ends is told, also below a root that has ended", async () => {
  const flow = watched();
  const root = flow.start("root");
  flow.start("background", root);
  root.end();
  flow.writer.flushSync("process_exit");
  const { conversations, warnings } = flow.session();
  expect(conversations[0]).toMatchObject({ status: "completed" });
  expect(statusesIn(flow.session())).toEqual({ root: "ok", background: "abandoned" });
  expect(warnings).toMatchObject([
    { code: "abandoned_step", message: expect.stringMatching(/process_exit$/) },
  ]);
});

test("a clock that tells no time costs no document", async () => {
  const flow = watched();
  flow.start("open");
  vi.spyOn(Date, "now").mockReturnValue(Number.NaN);
  try {
    flow.writer.flushSync("signal");
  } finally {
    vi.restoreAllMocks();
  }
  expect(flow.session().conversations[0]).toMatchObject({
    status: "aborted",
    status_reason: "signal",
  });
});
