import { assemble } from "@thoughtflow/assemble";
import type { Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf, recordsOfText } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
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

const event = (seconds: number, type: string, id: string, more: Fields) =>
  line(seconds, "event_msg", { type, call_id: id, ...more });
const search = { query: "x", action: { type: "search", query: "x" }, results: [{ title: "Hit." }] };
const picture = { status: "completed", revised_prompt: "A cat.", saved_path: "/w/cat.png" };
const drawn = { ...picture, result: "iVBORw0KGgo=" };
const OTHERS = [
  ["web_search", "Hit."],
  ["view_image", ""],
  ["image_generation", "/w/cat.png"],
] as const;

test.each([
  [
    "items",
    [
      done(3, 4, { type: "WebSearch", id: "exec-3", ...search }),
      done(4, 4, { type: "ImageView", id: "exec-4", path: "file:///w/a.png" }),
      done(4, 6, { type: "ImageGeneration", id: "exec-5", ...drawn }),
      done(6, 6, {
        type: "DynamicToolCall",
        id: "exec-6",
        tool: "ask",
        arguments: {},
        error: "No.",
      }),
    ],
    [...OTHERS, ["ask", "No."]],
  ],
  [
    "events of their own",
    [
      event(4, "web_search_end", "exec-3", search),
      event(4, "view_image_tool_call", "exec-4", { path: "file:///w/a.png" }),
      event(6, "image_generation_end", "exec-5", drawn),
      event(6, "patch_apply_end", "exec-6", { changes: {}, stdout: "Written.", success: true }),
      event(6, "mcp_tool_call_end", "exec-7", {
        invocation: { server: "docs", tool: "look", arguments: { q: "x" } },
        duration: { secs: 1, nanos: 500_000_000 },
        result: { Ok: { content: [{ type: "text", text: "Found." }] } },
      }),
    ],
    [...OTHERS, ["apply_patch", "Written."], ["docs__look", "Found."]],
  ],
])("whatever a script has called is a step within it: told by %s", async (_, told, expected) => {
  const steps = await stepsOf([...begun, counted(2), ...told, ...told, gave]);
  const tools = steps.filter(({ label }) => label === "tool_call");
  const [outer, ...within] = tools;
  expect(within.every(({ parent_step_id: parent }) => parent === outer?.step_id)).toBe(true);
  const names = within.map(({ payload_started: asked }) => asked?.["name"]);
  expect(names.toSorted()).toEqual(expected.map(([name]) => name).toSorted());
  const results = JSON.stringify(steps.map((step) => step.payload_completed));
  for (const [, words] of expected) expect(results).toContain(words);
  const looked = within.find(({ payload_started: asked }) => asked?.["name"] === "docs__look");
  expect(looked?.duration_ms).toBe(looked && 1_500);
});

test("what a script has called and what failed says so, whatever tells it", async () => {
  const steps = await stepsOf([
    ...begun,
    counted(2),
    event(3, "patch_apply_end", "exec-1", { changes: {}, stderr: "No.", success: false }),
    event(3, "mcp_tool_call_end", "exec-2", {
      invocation: { server: "docs", tool: "look" },
      result: { Err: "Gone." },
    }),
    gave,
  ]);
  const failed = steps.filter(({ label, status }) => label === "tool_call" && status === "error");
  expect(failed.map(({ payload_started: asked }) => asked?.["name"])).toEqual([
    "apply_patch",
    "docs__look",
  ]);
});

const mcp = (callId: string, result: Fields) =>
  event(8, "mcp_tool_call_end", callId, {
    invocation: { server: "docs", tool: "look", arguments: { q: callId } },
    duration: { secs: 2, nanos: 0 },
    result,
  });
const found = { Ok: { content: [{ type: "text", text: "Found." }] } };

test("a tool of a server that neither the history nor a script has called is a tool call, once", async () => {
  const lone = mcp("lone", found);
  const steps = await stepsOf([...begun, counted(2), gave, lone, lone]);
  expect(steps.filter(({ label }) => label === "generic")).toEqual([]);
  const [, looked, ...more] = steps.filter(({ label }) => label === "tool_call");
  expect(more).toEqual([]);
  expect(looked).toMatchObject({
    status: "ok",
    duration_ms: 2_000,
    payload_started: { name: "docs__look", args: { q: "lone" }, call_id: "lone" },
  });
});

test.each([
  ["an error", { Err: "Gone." }],
  ["a result that says it is one", { Ok: { content: [], isError: true } }],
])("a tool that nobody called has failed where it gave %s", async (_, result) => {
  const orders = [
    [...begun, counted(2), gave, mcp("lone", result)],
    [...begun.slice(0, 2), mcp("lone", result), ...begun.slice(2), counted(9)],
  ];
  for (const lines of orders) {
    const steps = await stepsOf(lines);
    const looked = steps.filter(({ payload_started: asked }) => asked?.["name"] === "docs__look");
    expect(looked).toMatchObject([{ label: "tool_call", status: "error" }]);
  }
});

test("a tool that nobody called is its thread's agent's, also before that has answered", async () => {
  const child = (at: number) => [
    line(at, "session_meta", {
      id: "c",
      source: { subagent: { thread_spawn: { parent_thread_id: "s" } } },
    }),
    mcp("lone", found),
    item(9, {
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: "So." }],
    }),
    counted(9),
  ];
  const files = [[...begun, counted(2)], child(5)].map((lines, nth) =>
    sourceText(lines.map((one) => JSON.stringify(one)).join("\n"), `rollout-${nth}.jsonl`),
  );
  const { records } = await recordsOf(codex, files);
  const steps = assemble(records).flatMap((one) => one.conversations.flatMap((run) => run.steps));
  const agent = steps.find(({ label }) => label === "agent");
  const looked = steps.filter(({ payload_started: asked }) => asked?.["name"] === "docs__look");
  expect(looked).toMatchObject([
    { label: "tool_call", agent_id: "c", parent_step_id: agent?.step_id },
  ]);
});

test("a tool's error that only its event tells is that of the call in the history", async () => {
  const asked = { type: "function_call", call_id: "m", name: "docs__look", arguments: "{}" };
  const steps = await stepsOf([
    ...begun.slice(0, 2),
    item(2, asked),
    counted(3),
    mcp("m", { Err: "Gone." }),
    item(9, { type: "function_call_output", call_id: "m", output: "Gone." }),
  ]);
  expect(steps.filter(({ label }) => label === "tool_call")).toMatchObject([{ status: "error" }]);
});
