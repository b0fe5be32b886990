import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { codex } from "./codex.ts";

type Fields = Readonly<Record<string, unknown>>;

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 6, 10, 0, seconds)).toISOString();
const line = (seconds: number, type: string, payload: Fields) => ({
  timestamp: at(seconds),
  type,
  payload,
});
const said = (role: string, text: string) => ({
  type: "message",
  role,
  content: [{ type: role === "user" ? "input_text" : "output_text", text }],
});
const tokens = (input: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: input / 2,
  output_tokens: output,
  reasoning_output_tokens: 0,
  total_tokens: input + output,
});
const counted = (seconds: number, total: Fields, last?: Fields) =>
  line(seconds, "event_msg", {
    type: "token_count",
    info: { total_token_usage: total, ...(last && { last_token_usage: last }) },
  });

async function imported(files: Readonly<Record<string, readonly Fields[]>>) {
  const { records, warnings } = await recordsOf(
    codex,
    Object.entries(files).map(([name, lines]) =>
      sourceText(lines.map((one) => `${JSON.stringify(one)}\n`).join(""), `${name}.jsonl`),
    ),
  );
  return { sessions: assemble(records), warnings };
}

test("an answer that summed the history up is a call, which the tokens tell alone", async () => {
  const { sessions } = await imported({
    one: [
      line(0, "session_meta", { id: "one" }),
      line(1, "response_item", said("user", "Go.")),
      line(2, "response_item", said("assistant", "Gone.")),
      counted(3, tokens(100, 10), tokens(100, 10)),
      counted(9, tokens(1_100, 60), tokens(1_000, 50)),
      line(10, "compacted", { message: "What was done so far: all of it." }),
      counted(10, tokens(1_100, 60), { ...tokens(0, 0), total_tokens: 200 }),
      line(11, "response_item", said("user", "On.")),
      line(12, "response_item", said("assistant", "Done.")),
      counted(13, tokens(1_300, 80), tokens(200, 20)),
    ],
  });
  expect(sessions[0]?.totals).toMatchObject({
    model_calls: 3,
    input_tokens: 1_300,
    output_tokens: 80,
    cache_read_input_tokens: 650,
  });
});

test("where only sums of tokens are told, a call has what they grew by", async () => {
  const { sessions } = await imported({
    one: [
      line(0, "session_meta", { id: "one" }),
      line(1, "response_item", said("user", "Go.")),
      line(2, "response_item", said("assistant", "Gone.")),
      counted(3, tokens(100, 10)),
      counted(3, tokens(100, 10)),
      line(4, "response_item", said("user", "On.")),
      line(5, "response_item", said("assistant", "Done.")),
      counted(6, tokens(300, 30)),
      // The program began to count anew.
      line(7, "response_item", said("user", "And?")),
      line(8, "response_item", said("assistant", "That is all.")),
      counted(9, tokens(50, 5)),
    ],
  });
  expect(sessions[0]?.totals).toMatchObject({
    model_calls: 3,
    input_tokens: 350,
    output_tokens: 35,
    cache_read_input_tokens: 175,
  });
});

test("where only the tokens of the last call are told, or these are left empty, none is lost or told twice", async () => {
  const answers = (...events: readonly Readonly<Record<string, unknown>>[]) =>
    events.flatMap((event, nth) => [
      line(3 * nth + 1, "response_item", said("user", "Go.")),
      line(3 * nth + 2, "response_item", said("assistant", "Gone.")),
      event,
      event,
    ]);
  const told = (seconds: number, info: object) =>
    line(seconds, "event_msg", { type: "token_count", info });
  const { sessions } = await imported({
    last: [
      line(0, "session_meta", { id: "last" }),
      ...answers(
        told(3, { last_token_usage: tokens(100, 10) }),
        told(6, { last_token_usage: tokens(200, 20) }),
      ),
    ],
    sums: [
      line(0, "session_meta", { id: "sums" }),
      ...answers(
        told(3, { total_token_usage: tokens(100, 10), last_token_usage: {} }),
        told(6, { total_token_usage: tokens(300, 30), last_token_usage: {} }),
      ),
    ],
  });
  for (const { totals } of sessions)
    expect(totals).toMatchObject({ model_calls: 2, input_tokens: 300, output_tokens: 30 });
  expect(sessions).toHaveLength(2);
});

test("of two rollouts without a first line the one that repeats the other's lines has what came since", async () => {
  const counts = (seconds: number, sum: number) => counted(seconds, tokens(sum, sum / 10));
  const model = line(0, "turn_context", { model: "m" });
  const { sessions } = await imported({
    "1-parent": [model, counts(1, 1_000)],
    "2-branch": [model, counts(1, 1_000), counts(2, 1_600)],
    // Another one, which took as much in its first call.
    "3-other": [model, counts(9, 1_000)],
  });
  expect(sessions.map(({ session_id: id, totals }) => [id, totals?.input_tokens])).toEqual([
    ["1-parent", 1_000],
    ["2-branch", 600],
    ["3-other", 1_000],
  ]);
});

test("of a copy whose turns have ids without a moment it is known by when they began", async () => {
  const began = (seconds: number, turn: string, startedAt: number) =>
    line(seconds, "event_msg", {
      type: "task_started",
      turn_id: turn,
      started_at: startedAt,
    });
  const { sessions } = await imported({
    fork: [
      line(20, "session_meta", { id: "fork", forked_from_id: "one" }),
      line(20, "session_meta", { id: "one" }),
      began(20, "a", Date.UTC(2026, 0, 1) / 1_000),
      line(20, "response_item", said("user", "Go.")),
      line(22, "response_item", said("assistant", "Gone.")),
      counted(22, tokens(100, 10), tokens(100, 10)),
      began(24, "b", Date.UTC(2026, 0, 2) / 1_000),
      line(24, "response_item", said("user", "On.")),
      line(24, "response_item", said("assistant", "Done.")),
      counted(24, tokens(300, 30), tokens(200, 20)),
      began(59, "c", Date.UTC(2026, 0, 6, 10, 0, 59) / 1_000),
      line(59, "response_item", said("user", "And?")),
      line(59, "response_item", said("assistant", "That is all.")),
      counted(59, tokens(700, 70), tokens(400, 40)),
    ],
  });
  expect(sessions[0]?.totals).toMatchObject({ model_calls: 1, input_tokens: 400 });
});

const BARE = [
  { id: "5973b6c0", timestamp: at(0), instructions: "Be brief.", git: { branch: "main" } },
  { record_type: "state" },
  { ...said("user", "List the files."), id: null },
  { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "I list." }] },
  {
    type: "function_call",
    id: "fc_1",
    name: "shell",
    arguments: '{"command":["ls"]}',
    call_id: "call_1",
  },
  { record_type: "state" },
  {
    type: "function_call_output",
    call_id: "call_1",
    output: '{"output":"a\\n","metadata":{"exit_code":0}}',
  },
  { ...said("assistant", "One file: a."), id: "msg_1" },
  { record_type: "state" },
];

test("the lines of versions before September 2025 are payloads alone", async () => {
  const { sessions, warnings } = await imported({ "rollout-2025-08-10T12-5973b6c0": BARE });
  const [session] = sessions;
  expect(session).toMatchObject({
    session_id: "5973b6c0",
    title: "List the files.",
    started_at: at(0),
    totals: { model_calls: 2, tool_calls: 1, thoughts: 1, errors: 0 },
  });
  expect(warnings.join()).not.toMatch(/can't be read|not known/);
});
