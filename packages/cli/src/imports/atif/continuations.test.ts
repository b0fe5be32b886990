import { join } from "node:path";
import { assemble } from "@thoughtflow/assemble";
import type { Session } from "@thoughtflow/schema";
import { describe, expect, test } from "vitest";
import { directoryWith } from "../../../testing/flow-directory.ts";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceFile } from "../source-file.ts";
import { atif } from "./atif.ts";

/** What was asked and answered, and which file goes on from there. */
function trajectory(
  session_id: string,
  minute: number,
  asked: string,
  told: string,
  next?: string,
) {
  const at = (second: number) => new Date(Date.UTC(2026, 5, 1, 9, minute, second)).toISOString();
  const metrics = { prompt_tokens: 10, completion_tokens: 1 };
  return {
    schema_version: "ATIF-v1.8",
    session_id,
    agent: { name: "terminus-2", version: "2" },
    steps: [
      { step_id: 1, timestamp: at(0), source: "user", message: asked },
      { step_id: 2, timestamp: at(5), source: "agent", message: told, metrics },
    ],
    ...(next !== undefined && { continued_trajectory_ref: next }),
  };
}

async function importOf(files: Readonly<Record<string, object>>) {
  const texts = Object.entries(files).map(([name, value]) => [name, JSON.stringify(value)]);
  const directory = directoryWith(Object.fromEntries(texts));
  const sources = Object.keys(files).map((name) => sourceFile(join(directory, name), name));
  const { records, warnings } = await recordsOf(atif, sources);
  return { sessions: assemble(records) as Session[], warnings };
}

/** The calls, each with the one that it continues. */
function callsIn(sessions: readonly Session[]) {
  const calls = sessions.flatMap(({ session_id, conversations }) =>
    conversations.flatMap(({ steps }) =>
      steps
        .filter(({ label }) => label === "assistant_call")
        .map(({ step_id, edges = [], payload_completed: told }) => ({
          session_id,
          step_id,
          text: told?.["text"],
          continues: edges.find(({ type }) => type === "continues")?.to,
        })),
    ),
  );
  return calls.map(({ session_id, text, continues }) => [
    session_id,
    text,
    calls.find(({ step_id }) => step_id === continues?.split("/").at(-1))?.text,
  ]);
}

test("a trajectory that another one goes on in is one session with it, in whatever order the files come", async () => {
  const files = {
    "trajectory.cont-1.json": trajectory("run", 1, "Go on.", "Second.", "trajectory.cont-2.json"),
    "trajectory.cont-2.json": trajectory("run", 2, "Go on.", "Third."),
    "trajectory.json": trajectory("run", 0, "Do it.", "First.", "trajectory.cont-1.json"),
  };
  const { sessions } = await importOf(files);
  expect(callsIn(sessions)).toEqual([
    ["run", "First.", undefined],
    ["run", "Second.", "First."],
    ["run", "Third.", "Second."],
  ]);
  expect(sessions.map(({ title }) => title)).toEqual(["Do it."]);
});

test("one that goes on as a session of its own continues the last call of the other one", async () => {
  const { sessions } = await importOf({
    "trajectory.json": trajectory("run", 0, "Do it.", "First.", "trajectory.cont-1.json"),
    "trajectory.cont-1.json": trajectory("run-cont-1", 1, "Go on.", "Second."),
  });
  expect(callsIn(sessions)).toEqual([
    ["run", "First.", undefined],
    ["run-cont-1", "Second.", "First."],
  ]);
});

test("those that have one session's id, and tell nothing of each other, are all kept", async () => {
  const { sessions } = await importOf({
    "turn-1.json": trajectory("run", 0, "Do it.", "First."),
    "turn-2.json": trajectory("run", 1, "And that.", "Second."),
  });
  expect(callsIn(sessions).map(([, text]) => text)).toEqual(["First.", "Second."]);
});

test("those that go on in each other are each read once", async () => {
  const { sessions } = await importOf({
    "a.json": trajectory("a", 0, "Do it.", "First.", "b.json"),
    "b.json": trajectory("b", 1, "Go on.", "Second.", "a.json"),
  });
  expect(sessions.map(({ totals }) => totals?.model_calls)).toEqual([1, 1]);
});

test("a step that stands for several calls says so", async () => {
  const one = trajectory("run", 0, "Do it.", "First.");
  const steps = one.steps.map((step) => ({ ...step, llm_call_count: 3 }));
  const { warnings } = await importOf({ "trajectory.json": { ...one, steps } });
  expect(warnings.join("\n")).toContain(
    "2 × call of a model: the step tells it together with another one",
  );
});

test("a copy of a trajectory counts no second time, with what it refers to and what goes on from it", async () => {
  const files = {
    "a.json": trajectory("s", 0, "One?", "One.", "b.json"),
    "b.json": trajectory("s", 1, "Two?", "Two."),
    "c.json": trajectory("t", 2, "Three?", "Three."),
  };
  const copies = Object.fromEntries(
    Object.entries(files).map(([name, value]) => [`copy/${name}`, value]),
  );
  const alone = await importOf(files);
  const both = await importOf({ ...files, ...copies });
  expect(both.sessions).toEqual(alone.sessions);
  expect(both.warnings).toContain("Left out: 3 × trajectory that is told twice.");
});

describe("of files that were renamed", () => {
  const agent = (index: number) => ({
    agent: { name: "terminus-2", version: "2", extra: { continuation_index: index } },
  });
  const sums = (input: number, output: number) => ({
    final_metrics: { total_prompt_tokens: input, total_completion_tokens: output },
  });
  const first = {
    ...trajectory("run", 0, "Do it.", "First.", "trajectory.cont-1.json"),
    ...sums(10, 1),
  };
  const second = {
    ...trajectory("run-cont-1", 1, "Go on.", "Second.", "trajectory.cont-2.json"),
    ...agent(1),
    ...sums(20, 2),
  };
  const third = {
    ...trajectory("run-cont-2", 2, "Go on.", "Third."),
    ...agent(2),
    ...sums(30, 3),
  };
  const tokensOf = (sessions: readonly Session[]) =>
    sessions.map(({ session_id, totals }) => [session_id, totals?.input_tokens]);

  test("one goes on from the one whose session and count it says, and no token counts twice", async () => {
    const { sessions } = await importOf({ "c.json": third, "b.json": second, "a.json": first });
    expect(callsIn(sessions)).toEqual([
      ["run", "First.", undefined],
      ["run-cont-1", "Second.", "First."],
      ["run-cont-2", "Third.", "Second."],
    ]);
    expect(tokensOf(sessions)).toEqual([
      ["run", 10],
      ["run-cont-1", 10],
      ["run-cont-2", 10],
    ]);
  });

  test("none goes on from one that is there twice, or that names nothing to go on in", async () => {
    const other = { ...first, steps: first.steps.map((step) => ({ ...step, message: "Other." })) };
    const twice = await importOf({ "a.json": first, "x.json": other, "b.json": second });
    expect(callsIn(twice.sessions).map(([, text, before]) => [text, before])).toEqual([
      ["First.", undefined],
      ["Other.", undefined],
      ["Second.", undefined],
    ]);
    const { continued_trajectory_ref: _, ...ended } = first;
    const apart = await importOf({ "a.json": ended, "b.json": second });
    expect(callsIn(apart.sessions).map(([, text, before]) => [text, before])).toEqual([
      ["First.", undefined],
      ["Second.", undefined],
    ]);
  });
});
