import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { codex } from "./codex.ts";

const MADE = Date.UTC(2026, 6, 6, 10);

function line(ms: number, type: string, payload: object): string {
  return JSON.stringify({ timestamp: new Date(MADE + ms).toISOString(), type, payload });
}

/** A question, an answer of a tool's call, and the answer, each with its tokens. */
function history(ms: number): readonly string[] {
  const said = (type: string, role: string, text: string) =>
    line(ms, "response_item", { type: "message", role, content: [{ type, text }] });
  const tokens = (nth: number) => {
    const [last, total] = [5, 5 * nth].map((count) => ({ input_tokens: count, output_tokens: 1 }));
    const info = { last_token_usage: last, total_token_usage: total };
    return line(ms, "event_msg", { type: "token_count", info });
  };
  return [
    line(ms, "event_msg", { type: "task_started", turn_id: idAt(MADE - 90_000) }),
    said("input_text", "user", "Which files?"),
    line(ms, "response_item", {
      type: "function_call",
      name: "shell",
      call_id: "c1",
      arguments: "{}",
    }),
    tokens(1),
    line(ms, "response_item", { type: "function_call_output", call_id: "c1", output: "a.ts" }),
    said("output_text", "assistant", "One."),
    tokens(2),
  ];
}

/** An id that begins with its moment, as Codex makes them. */
function idAt(ms: number): string {
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

const ORIGIN = [line(-95_000, "session_meta", { id: "old" }), ...history(-90_000)];
const FORK = [
  line(0, "session_meta", { id: "fork", forked_from_id: "old" }),
  line(3, "session_meta", { id: "old" }),
  ...history(3),
];
const SUB_AGENT = [
  line(0, "session_meta", {
    id: "child",
    source: { subagent: { thread_spawn: { parent_thread_id: "old" } } },
  }),
  ...history(-90_000),
];

async function importOf(...rollouts: readonly (readonly string[])[]) {
  const files = rollouts.map((lines, nth) => sourceText(lines.join("\n"), `${nth}.jsonl`));
  const { records, warnings } = await recordsOf(codex, files);
  const calls = assemble(records).map(({ session_id: id, totals }) => [
    id,
    [totals?.model_calls, totals?.tool_calls, totals?.input_tokens],
  ]);
  return { calls: Object.fromEntries(calls), warnings: warnings.join("\n") };
}

test("a fork that nobody went on with is told as the thread that it was made of where that is not here", async () => {
  const { calls, warnings } = await importOf(FORK);
  expect(calls).toEqual({ old: [2, 1, 10] });
  expect(warnings).toContain("1 × tie of a fork to a thread that is not here");
});

test("so does a sub-agent that was told what its parent was told, and nothing else", async () => {
  expect((await importOf(SUB_AGENT)).calls).toEqual({ old: [2, 1, 10] });
});

test("a fork that nobody went on with has no calls where what it was made of is here", async () => {
  expect((await importOf(ORIGIN, FORK)).calls).toEqual({ old: [2, 1, 10] });
});

test("a fork that somebody asked something has no calls of the one that it was made of", async () => {
  const own = line(5_000, "response_item", {
    type: "message",
    role: "user",
    content: [{ type: "input_text", text: "And now?" }],
  });
  const turn = line(5_000, "event_msg", { type: "task_started", turn_id: idAt(MADE + 5_000) });
  expect((await importOf([...FORK, turn, own])).calls).toEqual({ fork: [0, 0, undefined] });
});
