import { assemble } from "@thoughtflow/assemble";
import type { Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { codex } from "./codex.ts";

type Fields = Readonly<Record<string, unknown>>;
const at = (seconds: number) => Date.UTC(2026, 8, 10, 21, 44, seconds);
const line = (seconds: number, type: string, payload: Fields) => ({
  timestamp: new Date(at(seconds)).toISOString(),
  type,
  payload,
});
const item = (seconds: number, payload: Fields) => line(seconds, "response_item", payload);
const done = (from: number, to: number, what: Fields) =>
  line(to, "event_msg", {
    type: "item_completed",
    item: what,
    started_at_ms: at(from),
    completed_at_ms: at(to),
  });
const counted = (seconds: number) =>
  line(seconds, "event_msg", {
    type: "token_count",
    info: {
      total_token_usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
      last_token_usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    },
  });

const script = { type: "custom_tool_call", call_id: "call_1", name: "exec" };
const begun = [
  line(0, "session_meta", { id: "s", cli_version: "0.153.0" }),
  item(1, { type: "message", role: "user", content: [{ type: "input_text", text: "Test it." }] }),
  item(2, { ...script, input: "text(await tools.exec_command({cmd:'cargo test'}))" }),
];
const command = {
  type: "CommandExecution",
  id: "exec-58f0815f",
  command: ["/bin/zsh", "-lc", "cargo test"],
  cwd: "file:///w",
  status: "failed",
  aggregated_output: "1 failed",
  exit_code: 101,
};
const change = {
  type: "FileChange",
  id: "exec-1aea9924",
  changes: { "/w/a.rs": { type: "add", content: "a" } },
  status: "completed",
  stdout: "Done.",
};
const looked = {
  type: "McpToolCall",
  id: "exec-2",
  server: "docs",
  tool: "look",
  arguments: { q: "x" },
  result: { content: [{ type: "text", text: "Found." }] },
  status: "completed",
};
const nested = [done(3, 5, command), done(5, 5, change), done(5, 6, looked)];
const gave = item(7, { type: "custom_tool_call_output", call_id: "call_1", output: "Failed." });

async function stepsOf(lines: readonly object[]): Promise<readonly Step[]> {
  const text = lines.map((one) => `${JSON.stringify(one)}\n`).join("");
  const { records } = await recordsOfText(codex, text);
  return assemble(records).flatMap(({ conversations }) =>
    conversations.flatMap((run) => run.steps),
  );
}

test("what a script has called are steps within it, whether its tokens are told before or after", async () => {
  const orders = [
    [...begun, counted(2), ...nested, gave],
    [...begun, ...nested, gave, counted(8)],
  ];
  for (const lines of orders) {
    const steps = await stepsOf(lines);
    const tools = steps.filter(({ label }) => label === "tool_call");
    const outer = tools.find((step) => step.payload_started?.["name"] === "exec");
    expect(
      tools.map(
        ({ parent_step_id: parent, payload_started: asked, status, duration_ms, edges }) => [
          asked?.["name"],
          parent === outer?.step_id && edges?.some(({ to }) => to === parent),
          status,
          duration_ms,
        ],
      ),
    ).toEqual([
      ["exec", false, "ok", 5000],
      ["exec_command", true, "error", 2000],
      ["apply_patch", true, "ok", 0],
      ["docs__look", true, "ok", 1000],
    ]);
    const results = steps.filter(({ label }) => label.startsWith("tool_") && label !== "tool_call");
    const told = JSON.stringify(results.map((step) => step.payload_completed));
    for (const words of ["Failed.", "1 failed", "Done.", "Found."]) expect(told).toContain(words);
    expect(steps.filter(({ label }) => label === "assistant_call")).toHaveLength(1);
  }
});

test("a command that the history has is told once", async () => {
  const call = { type: "function_call", call_id: "call_2", name: "exec_command" };
  const steps = await stepsOf([
    ...begun.slice(0, 2),
    item(2, { ...call, arguments: '{"cmd":"ls"}' }),
    done(3, 4, { ...command, id: "call_2" }),
    item(5, { type: "function_call_output", call_id: "call_2", output: "a.rs" }),
  ]);
  expect(steps.filter(({ label }) => label === "tool_call")).toHaveLength(1);
});
