import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { filesBelow, sourceFile, sourceText } from "../source-file.ts";
import { codex } from "./codex.ts";

const MADE = Date.UTC(2026, 9, 6, 10);

const line = (seconds: number, type: string, payload: object) =>
  JSON.stringify({ timestamp: new Date(MADE + seconds * 1_000).toISOString(), type, payload });
const item = (seconds: number, payload: object) => line(seconds, "response_item", payload);
const event = (seconds: number, type: string, payload: object = {}) =>
  line(seconds, "event_msg", { type, turn_id: `t${seconds}`, ...payload });
const said = (seconds: number, role: string, text: string, phase?: string) => {
  const type = role === "assistant" ? "output_text" : "input_text";
  const content = [{ type, text }];
  return item(seconds, { type: "message", role, content, ...(phase && { phase }) });
};
const called = (seconds: number) =>
  item(seconds, { type: "function_call", name: "shell", arguments: "{}", call_id: `c${seconds}` });
const gave = (seconds: number, call: number) =>
  item(seconds, { type: "function_call_output", call_id: `c${call}`, output: "given" });
const meta = (id: string, more: object = {}) => line(0, "session_meta", { id, ...more });

async function runsOf(...threads: readonly (readonly string[])[]) {
  const files = threads.map((lines, nth) => sourceText(lines.join("\n"), `${nth}.jsonl`));
  const { records } = await recordsOf(codex, files);
  return assemble(records).flatMap(({ conversations }) => conversations);
}

async function statusesOf(...lines: readonly string[]) {
  return (await runsOf(lines)).map(({ status, duration_ms }) => [status, duration_ms]);
}

const DIR = fileURLToPath(new URL("../../../fixtures/codex-killed-scripted/", import.meta.url));

async function writtenRunsOf(...ids: readonly string[]) {
  const paths = await filesBelow(DIR, (path) => ids.some((id) => path.includes(id)));
  const { records } = await recordsOf(
    codex,
    paths.map((path) => sourceFile(path, path.slice(DIR.length))),
  );
  return assemble(records).flatMap(({ conversations }) => conversations);
}

test("Codex was killed while a model answered, and its sub-agents with it", async () => {
  const runs = await writtenRunsOf("01a21b36-53f0", "01a21b36-54aa", "01a21b36-54c7");
  expect(runs.map(({ status }) => status)).toEqual(["abandoned"]);
  const statuses = (label: string) =>
    runs.flatMap(({ steps }) => steps.flatMap((one) => (one.label === label ? [one.status] : [])));
  expect(statuses("agent")).toEqual(["abandoned", "abandoned"]);
  expect(statuses("tool_call").filter((status) => status !== "ok")).toEqual(["abandoned"]);
});

test("Codex was killed while a model answered, and gone on with", async () => {
  const runs = await writtenRunsOf("01a21a79-6f0c");
  expect(runs.map(({ status }) => status)).toEqual(["abandoned", "completed"]);
});

const BEGUN = [meta("one"), event(1, "task_started"), said(2, "user", "Go.")];

test("a turn without an end is abandoned, whatever the program was killed in", async () => {
  expect(await statusesOf(...BEGUN)).toEqual([["abandoned", 0]]);
  expect(await statusesOf(...BEGUN, called(3))).toEqual([["abandoned", 1_000]]);
  expect(await statusesOf(...BEGUN, called(3), gave(7, 3))).toEqual([["abandoned", 5_000]]);
  const said4 = said(4, "assistant", "I look.", "commentary");
  expect(await statusesOf(...BEGUN, said4)).toEqual([["abandoned", 2_000]]);
});

test("a turn that was killed is abandoned also where the thread was gone on with", async () => {
  const next = [event(20, "task_started"), said(21, "user", "On."), said(22, "assistant", "Done.")];
  const end = event(23, "task_complete");
  expect(await statusesOf(...BEGUN, called(3), gave(7, 3), ...next, end)).toEqual([
    ["abandoned", 5_000],
    ["completed", 1_000],
  ]);
  expect((await statusesOf(...BEGUN, ...next, end)).map(([status]) => status)).toEqual([
    "abandoned",
    "completed",
  ]);
});

test("a turn that came to its last word is done, and so is one of a version that tells no turns", async () => {
  for (const phase of [undefined, "final_answer"])
    expect(await statusesOf(...BEGUN, said(3, "assistant", "Done.", phase))).toEqual([
      ["completed", 1_000],
    ]);
  expect(await statusesOf(meta("one"), said(2, "user", "Go."), called(3), gave(7, 3))).toEqual([
    ["completed", 5_000],
  ]);
});

test("a turn that somebody stopped, or that failed, stays so", async () => {
  const failed = event(9, "task_complete", { error: { message: "Quota exceeded." } });
  expect(await statusesOf(...BEGUN, called(3), event(9, "turn_aborted"))).toMatchObject([
    ["aborted", 7_000],
  ]);
  expect(await statusesOf(...BEGUN, failed)).toMatchObject([["error", 7_000]]);
});

const PARENT = { source: { subagent: { thread_spawn: { parent_thread_id: "main", depth: 1 } } } };
const SPAWNED = [
  meta("main"),
  event(1, "task_started"),
  said(1, "user", "Go."),
  item(2, { type: "function_call", name: "spawn_agent", arguments: "{}", call_id: "c1" }),
  item(3, { type: "function_call_output", call_id: "c1", output: '{"agent_id":"child"}' }),
];
const CHILD = [meta("child", PARENT), event(3, "task_started"), said(4, "user", "Look.")];

test("a sub-agent without an end of its turn is abandoned, with those above it or alone", async () => {
  const ends = [said(60, "assistant", "Done without it."), event(61, "task_complete")];
  for (const [end, status] of [[ends, "completed"] as const, [[], "abandoned"] as const]) {
    const runs = await runsOf([...SPAWNED, ...end], [...CHILD, called(5), gave(9, 5)]);
    expect(runs.map((run) => run.status)).toEqual([status]);
    const steps = runs.flatMap(({ steps }) => steps.filter(({ label }) => label === "agent"));
    expect(steps.map(({ status, duration_ms }) => [status, duration_ms])).toEqual([
      ["abandoned", 9_000],
    ]);
  }
});

test("a copy that was made in a turn doesn't tell that it was cut off", async () => {
  // Ids begin with their moments.
  const before = (MADE - 90_000).toString(16).padStart(12, "0");
  const turn_id = `${before.slice(0, 8)}-${before.slice(8)}-7000-8000-000000000000`;
  const history = [event(3, "task_started", { turn_id }), said(3, "user", "Go."), called(3)];
  const copied = [meta("fork", { forked_from_id: "one" }), meta("one"), ...history, gave(3, 3)];
  expect((await runsOf(copied)).map(({ status }) => status)).toEqual(["completed"]);
});
