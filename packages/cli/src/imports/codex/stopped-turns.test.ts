import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { codex } from "./codex.ts";

const MADE = Date.UTC(2026, 9, 6, 10);

function line(seconds: number, type: string, payload: object): string {
  return JSON.stringify({
    timestamp: new Date(MADE + seconds * 1_000).toISOString(),
    type,
    payload,
  });
}

const item = (seconds: number, payload: object) => line(seconds, "response_item", payload);
const said = (seconds: number, role: string, text: string) => {
  const type = role === "assistant" ? "output_text" : "input_text";
  return item(seconds, { type: "message", role, content: [{ type, text }] });
};
const stopped = (seconds: number) =>
  line(seconds, "event_msg", { type: "turn_aborted", turn_id: "t", reason: "interrupted" });

async function statusesOf(...threads: readonly (readonly string[])[]) {
  const files = threads.map((lines, nth) => sourceText(lines.join("\n"), `${nth}.jsonl`));
  const { records } = await recordsOf(codex, files);
  return assemble(records).flatMap(({ conversations }) =>
    conversations.map(({ status, steps }) => ({
      status,
      asked: steps.flatMap(({ label, origin, payload_started: said }) =>
        label === "user_message" && origin === "recorded" ? [said] : [],
      ),
    })),
  );
}

test("a turn that somebody stopped before an answer came is a run of its own", async () => {
  const runs = await statusesOf([
    line(0, "session_meta", { id: "one" }),
    said(1, "user", "First."),
    said(2, "assistant", "Done."),
    said(10, "user", "Second."),
    stopped(12),
    said(20, "user", "Third."),
    said(21, "assistant", "Done, too."),
  ]);
  expect(runs).toEqual([
    { status: "completed", asked: [{ text: "First." }] },
    { status: "aborted", asked: [{ text: "Second." }] },
    { status: "completed", asked: [{ text: "Third." }] },
  ]);
});

test("a sub-agent that is stopped stops nothing of those above it", async () => {
  const runs = await statusesOf(
    [
      line(0, "session_meta", { id: "main" }),
      said(1, "user", "Look around, with help."),
      item(2, { type: "function_call", name: "spawn_agent", arguments: "{}", call_id: "c1" }),
      item(3, { type: "function_call_output", call_id: "c1", output: '{"agent_id":"child"}' }),
      item(8, { type: "function_call", name: "close_agent", arguments: "{}", call_id: "c2" }),
      item(9, { type: "function_call_output", call_id: "c2", output: '{"status":"running"}' }),
      said(20, "assistant", "Done without it."),
    ],
    [
      line(3, "session_meta", {
        id: "child",
        source: { subagent: { thread_spawn: { parent_thread_id: "main", depth: 1 } } },
      }),
      said(4, "user", "Look."),
      said(5, "assistant", "I look."),
      stopped(9),
    ],
  );
  expect(runs.map(({ status }) => status)).toEqual(["completed"]);
});

/** Of each step of a kind when it was over, in seconds, and how it ended. */
async function endsOf(label: string, ...threads: readonly (readonly string[])[]) {
  const files = threads.map((lines, nth) => sourceText(lines.join("\n"), `${nth}.jsonl`));
  const { records } = await recordsOf(codex, files);
  return assemble(records).flatMap(({ conversations }) =>
    conversations.flatMap(({ steps }) =>
      steps
        .filter((step) => step.label === label)
        .map(({ status, error, started_at = "", duration_ms = 0 }) => [
          status,
          error?.message,
          Math.round((Date.parse(started_at) + duration_ms - MADE) / 1_000),
        ]),
    ),
  );
}

const call = (seconds: number) =>
  item(seconds, { type: "function_call", name: "shell", arguments: "{}", call_id: `c${seconds}` });

test("a turn that somebody stopped lasts until then", async () => {
  for (const answers of [[], [said(11, "assistant", "I begin.")]]) {
    const lines = [
      line(0, "session_meta", { id: "one" }),
      said(10, "user", "First."),
      ...answers,
      stopped(32),
      said(50, "user", "Second."),
      said(51, "assistant", "Done."),
    ];
    const { records } = await recordsOf(codex, [sourceText(lines.join("\n"), "one.jsonl")]);
    const runs = assemble(records).flatMap(({ conversations }) => conversations);
    expect(runs.map(({ status, duration_ms }) => [status, duration_ms])).toEqual([
      ["aborted", 22_000],
      ["completed", 1_000],
    ]);
  }
});

const MAIN = [
  line(0, "session_meta", { id: "main" }),
  said(1, "user", "Look around, with help."),
  item(2, { type: "function_call", name: "spawn_agent", arguments: "{}", call_id: "c1" }),
  item(3, { type: "function_call_output", call_id: "c1", output: '{"agent_id":"child"}' }),
  said(60, "assistant", "Done without it."),
];
const CHILD = [
  line(3, "session_meta", {
    id: "child",
    source: { subagent: { thread_spawn: { parent_thread_id: "main", depth: 1 } } },
  }),
  said(4, "user", "Look."),
];
const failed = (seconds: number) =>
  line(seconds, "event_msg", {
    type: "task_complete",
    turn_id: "t",
    last_agent_message: null,
    error: { message: "Quota exceeded.", codex_error_info: "usage_limit_exceeded" },
  });

test("a sub-agent that was stopped is cancelled, and so is the tool that it waited for", async () => {
  const child = [...CHILD, call(5), stopped(9)];
  expect(await endsOf("agent", MAIN, child)).toEqual([["cancelled", undefined, 9]]);
  expect((await endsOf("tool_call", MAIN, child)).slice(-1)).toEqual([["cancelled", undefined, 9]]);
});

test("a sub-agent that failed says why", async () => {
  const child = [...CHILD, said(5, "assistant", "I look."), failed(8)];
  expect(await endsOf("agent", MAIN, child)).toEqual([["error", "Quota exceeded.", 8]]);
});

test("a sub-agent that was asked again and answered is none that was stopped, or failed", async () => {
  for (const end of [stopped(9), failed(9)]) {
    const child = [...CHILD, end, said(12, "user", "Again."), said(14, "assistant", "Looked.")];
    expect(await endsOf("agent", MAIN, child)).toEqual([["ok", undefined, 14]]);
  }
});

test("a thread that no call asked for and that was stopped is cancelled in the run of the one that it names", async () => {
  const main = [...MAIN.slice(0, 2), ...MAIN.slice(-1)];
  const child = [...CHILD, stopped(9)];
  expect((await statusesOf(main, child)).map(({ status }) => status)).toEqual(["completed"]);
  expect(await endsOf("agent", main, child)).toEqual([["cancelled", undefined, 9]]);
});

test("a turn that failed before its end tells why once, whether its end tells it again or nothing", async () => {
  const error = { type: "error", message: "Quota exceeded.", codex_error_info: { other: {} } };
  const begun = [...CHILD, said(5, "assistant", "I look."), line(7, "event_msg", error)];
  const over = line(8, "event_msg", { type: "task_complete", turn_id: "t" });
  expect(await endsOf("agent", MAIN, [...begun, over])).toEqual([["error", "Quota exceeded.", 7]]);
  expect(await endsOf("assistant_call", MAIN, [...begun, failed(8)])).toEqual(
    await endsOf("assistant_call", MAIN, [...begun, over]),
  );
});

test("an error beside a turn, as of a message that came too late, leaves the turn as it is", async () => {
  const info = { active_turn_not_steerable: { turn_kind: "review" } };
  const error = { type: "error", message: "It can't be steered.", codex_error_info: info };
  const child = [...CHILD, line(5, "event_msg", error), said(6, "assistant", "Looked.")];
  expect(await endsOf("agent", MAIN, child)).toEqual([["ok", undefined, 6]]);
  expect(await endsOf("generic", MAIN, child)).toEqual([["ok", undefined, 5]]);
});

test("the end of a turn that stands there twice tells once why it failed", async () => {
  const begun = [...CHILD, said(5, "assistant", "I look.")];
  const error = { type: "error", message: "Quota exceeded.", codex_error_info: { other: {} } };
  const events = [[failed(8)], [line(7, "event_msg", error), failed(8)]];
  for (const once of events)
    expect(await endsOf("assistant_call", MAIN, [...begun, ...once, failed(9)])).toEqual(
      await endsOf("assistant_call", MAIN, [...begun, ...once]),
    );
});

test("a turn that fails as the one before did, which nobody ended, says so too", async () => {
  const error = { type: "error", message: "Quota exceeded.", codex_error_info: { other: {} } };
  const turn = (seconds: number) => [
    line(seconds, "event_msg", { type: "task_started", turn_id: `t${seconds}` }),
    said(seconds + 1, "user", "Look."),
    line(seconds + 2, "event_msg", error),
  ];
  const lines = [...MAIN.slice(0, 1), ...turn(1), ...turn(4)];
  expect((await statusesOf(lines)).map(({ status }) => status)).toEqual(["error", "error"]);
  expect(await endsOf("assistant_call", lines)).toEqual([
    ["error", "Quota exceeded.", 3],
    ["error", "Quota exceeded.", 6],
  ]);
});
