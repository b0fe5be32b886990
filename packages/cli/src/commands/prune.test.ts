import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openJournal } from "@thoughtflow/journal";
import { expect, onTestFinished, test } from "vitest";
import { journalOfDeadProcess } from "../../../journal/testing/journal-of-dead-process.ts";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { stepRecord } from "../../testing/step-record.ts";
import { thoughtflow } from "../thoughtflow.ts";

async function run(cwd: string, line: string) {
  const io = capturedIo(cwd);
  const exitCode = await thoughtflow(line.split(" "), io);
  return { exitCode, stdout: io.stdout(), stderr: io.stderr() };
}

const day = 86_400_000;

/** A step of a session that ended so many days ago. */
function stepOf(session: string, daysAgo: number) {
  const nanoseconds = (ms: number) => `${Math.trunc(ms)}000000`;
  const at = Date.now() - daysAgo * day;
  return stepRecord("span_end", session, `step of ${session}`, {
    traceId: Buffer.from(session).toString("hex").padStart(32, "0"),
    startTimeUnixNano: nanoseconds(at - 1000),
    endTimeUnixNano: nanoseconds(at),
  });
}

async function directoryWithSessions() {
  const cwd = directoryWith();
  const dir = join(cwd, "thoughtflow");
  for (const [session, daysAgo] of [
    ["old", 40],
    ["older", 50],
    ["new", 1],
  ] as const) {
    journalOfDeadProcess(dir, [stepOf(session, daysAgo)]);
  }
  await run(cwd, "recover");
  const documents = () =>
    readdirSync(dir)
      .filter((name) => name.endsWith(".json"))
      .sort();
  const journals = () =>
    readdirSync(join(dir, ".journal"))
      .filter((name) => name.endsWith(".tfj"))
      .map((name) => readFileSync(join(dir, ".journal", name), "latin1"));
  return { cwd, dir, documents, journals };
}

test("old sessions go, from the journals too, which become one; the others are as they were", async () => {
  const { cwd, dir, documents, journals } = await directoryWithSessions();
  const kept = readFileSync(join(dir, "new.json"), "utf8");
  const dry = await run(cwd, "prune --older-than 30d --dry-run");
  expect(dry).toMatchObject({ exitCode: 0, stdout: "older\nold\n" });
  expect(dry.stderr).toContain("2 of 3 sessions would go.");
  expect([documents().length, journals().length]).toEqual([3, 3]);

  expect(await run(cwd, "prune --older-than 30d")).toMatchObject({
    exitCode: 0,
    stdout: "older\nold\n",
  });
  expect(documents()).toEqual(["new.json"]);
  expect(journals().map((text) => text.includes("step of old"))).toEqual([false]);
  const recovered = await run(cwd, "recover");
  expect(recovered.stdout).toBe("");
  expect(readFileSync(join(dir, "new.json"), "utf8")).toBe(kept);
});

test("the oldest go until the rest is small enough", async () => {
  const { cwd, documents } = await directoryWithSessions();
  expect((await run(cwd, "prune --larger-than 1GiB --dry-run")).stdout).toBe("");
  expect(documents()).toHaveLength(3);
  expect((await run(cwd, "prune --larger-than 0")).stdout).toBe("older\nold\nnew\n");
  expect(documents()).toEqual([]);
});

test("what a process that still runs works on stays", async () => {
  const { cwd, dir, documents } = await directoryWithSessions();
  const living = openJournal({ dir });
  onTestFinished(() => living.closeSync());
  living.append(stepOf("old", 0));
  living.flushSync();
  expect((await run(cwd, "prune --larger-than 0")).stdout).toBe("older\nnew\n");
  expect(documents()).toEqual(["old.json"]);
});

test("a session that goes on after its journal was made anew keeps all of its steps", async () => {
  const { cwd, dir } = await directoryWithSessions();
  await run(cwd, "prune");
  journalOfDeadProcess(dir, [
    stepRecord("span_end", "new", "later step", { traceId: "c".repeat(32) }),
  ]);
  await run(cwd, "recover");
  const { totals } = JSON.parse(readFileSync(join(dir, "new.json"), "utf8"));
  expect(totals.runs).toBe(2);
});

test.each([
  ["prune --older-than soon", '--older-than is "soon", but must be like 90m, 12h, 30d or 4w.'],
  ["prune --larger-than 5parsec", '--larger-than is "5parsec", but must be like 500MB'],
])("%s is no measure", async (line, message) => {
  const { exitCode, stderr } = await run(directoryWith(), line);
  expect(exitCode).toBe(3);
  expect(stderr).toContain(message);
});
