import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { pi } from "./pi.ts";

type Fields = Readonly<Record<string, unknown>>;

const T0 = Date.UTC(2026, 2, 1, 10);
const timeAt = (second: number) => new Date(T0 + second * 1_000).toISOString();

const said = (second: number, role: string, content: unknown, more: Fields = {}) => ({
  role,
  content: typeof content === "string" ? [{ type: "text", text: content }] : content,
  timestamp: T0 + second * 1_000,
  ...(role === "assistant" && {
    provider: "openai",
    model: "m",
    stopReason: "stop",
    usage: { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: 110 },
  }),
  ...more,
});
const call = (id: string, name: string, args: Fields) => ({
  type: "toolCall",
  id,
  name,
  arguments: args,
});
const gave = (second: number, toolCallId: string, more: Fields = {}) =>
  said(second, "toolResult", "done", { toolCallId, toolName: "", isError: false, ...more });
const result = (agent: string, task: string, messages: readonly Fields[]) => ({
  agent,
  agentSource: "user",
  task,
  exitCode: 0,
  messages,
  stderr: "",
  usage: { input: 0, output: 0, turns: 0 },
});
const details = (...results: readonly Fields[]) => ({
  details: { mode: "parallel", agentScope: "user", projectAgentsDir: null, results },
});

function fileOf(id: string, messages: readonly Fields[]) {
  const head = { type: "session", version: 3, id, timestamp: timeAt(0), cwd: "/work" };
  const entries = messages.map((message, nth) => ({
    type: "message",
    id: `e${nth}`,
    parentId: nth === 0 ? null : `e${nth - 1}`,
    timestamp: new Date(message["timestamp"] as number).toISOString(),
    message,
  }));
  const text = [head, ...entries].map((one) => `${JSON.stringify(one)}\n`).join("");
  return sourceText(text, `${id}.jsonl`);
}

async function imported(messages: readonly Fields[], ...others: ReturnType<typeof fileOf>[]) {
  const { records, warnings } = await recordsOf(pi, [fileOf("made", messages), ...others]);
  const session = assemble(records).find(({ session_id: id }) => id === "made");
  const names = new Map(session?.agents?.map(({ agent_id, name }) => [agent_id, name]));
  return {
    totals: session?.totals,
    status: session?.status,
    agents: session?.agents?.map(({ name, parent_agent_id: parent, origin, totals }) => [
      name,
      parent && names.get(parent),
      origin,
      totals?.model_calls,
      totals?.tool_calls,
    ]),
    warnings,
  };
}

test("what a sub-agent did stands in what its call gave, and may hold sub-agents of its own", async () => {
  const inner = [
    said(5, "user", "Task: Count."),
    said(6, "assistant", [call("t4", "read", { path: "a" })]),
    gave(7, "t4"),
    said(8, "assistant", "Three."),
  ];
  const first = [
    said(3, "user", "Task: Look."),
    said(4, "assistant", [call("t3", "subagent", { agent: "counter", task: "Count." })]),
    gave(9, "t3", details(result("counter", "Count.", inner))),
    said(10, "assistant", "All there."),
  ];
  const second = [
    said(3, "user", "Task: Look."),
    said(5, "assistant", "Yes.", { stopReason: "aborted" }),
  ];
  const tasks = [
    { agent: "scout", task: "Look." },
    { agent: "scout", task: "Look." },
  ];
  const session = await imported([
    said(1, "user", "Go."),
    said(2, "assistant", [call("t1", "subagent", { tasks })]),
    gave(11, "t1", details(result("scout", "Look.", first), result("scout", "Look.", second))),
    said(12, "assistant", "Done."),
  ]);
  expect(session).toMatchObject({
    status: "completed",
    totals: { model_calls: 7, tool_calls: 3, input_tokens: 700, output_tokens: 70 },
  });
  expect(session.warnings.join()).not.toMatch(/no tool call|nothing is there/);
  expect(session.agents).toEqual([
    ["Pi", undefined, undefined, 2, 1],
    ["scout", "Pi", "observed", 2, 1],
    ["scout", "Pi", "observed", 1, 0],
    ["counter", "scout", "observed", 2, 1],
  ]);
});

test("of a call that tells nothing of the sub-agent that it asked for it is said that nothing is there", async () => {
  const { agents, warnings } = await imported([
    said(1, "user", "Go."),
    said(2, "assistant", [call("t1", "subagent", { agent: "scout", task: "Look." })]),
    gave(11, "t1"),
    said(12, "assistant", "Done."),
  ]);
  expect(agents).toHaveLength(1);
  expect(warnings.join()).toContain("nothing is there of 1 sub-agent");
});

test("of a sub-agent whose messages are left out the sums are kept, but where its own session is there", async () => {
  const done = {
    ...result("scout", "[prompt redacted]", []),
    messages: undefined,
    usage: { input: 50, output: 7, cacheRead: 20, cacheWrite: 5, cost: 0, turns: 3 },
    model: "m",
    sessionFile: "/Users/dev/.pi/agent/sessions/work/other.jsonl",
  };
  const main = [
    said(1, "user", "Go."),
    said(2, "assistant", [call("t1", "subagent", { agent: "scout", task: "Look." })]),
    gave(11, "t1", details(done)),
    said(12, "assistant", "Done."),
  ];
  const alone = await imported(main);
  expect(alone.totals).toMatchObject({ model_calls: 2, input_tokens: 275, output_tokens: 27 });
  const other = fileOf("other", [said(3, "user", "Task: Look."), said(4, "assistant", "Yes.")]);
  const beside = await imported(main, other);
  expect(beside.totals).toMatchObject({ model_calls: 2, input_tokens: 200, output_tokens: 20 });
  for (const { agents } of [alone, beside])
    expect(agents?.slice(1).map((one) => one.slice(0, 3))).toEqual([["scout", "Pi", "observed"]]);
});

test("what the program of a sub-agent printed, and why it failed, is a step, also where it came to no message", async () => {
  const args = { agent: "scout", task: "Look." };
  const failed = {
    ...result("scout", "Look.", []),
    ...{ exitCode: 1, stderr: "No key.", stopReason: "error", errorMessage: "401" },
  };
  const { records } = await recordsOf(pi, [
    fileOf("made", [
      said(1, "user", "Go."),
      said(2, "assistant", [call("t1", "subagent", args)]),
      gave(3, "t1", details(failed, result("scout", "Look.", []))),
      said(4, "assistant", "Done."),
    ]),
  ]);
  const steps = assemble(records).flatMap(({ conversations }) =>
    conversations.flatMap((run) => run.steps),
  );
  const printed = steps.filter(({ label }) => label === "generic");
  expect(printed.map(({ payload_started: payload }) => payload)).toEqual([
    { name: "output of a sub-agent", agent: "scout", stderr: "No key.", error: "401" },
  ]);
});
