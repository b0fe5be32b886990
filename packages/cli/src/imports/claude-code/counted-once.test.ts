import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { claudeCode } from "./claude-code.ts";

type Fields = Readonly<Record<string, unknown>>;

let count = 0;

function record(type: string, fields: Fields): Fields {
  count++;
  const uuid = `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
  const timestamp = new Date(Date.UTC(2026, 0, 1) + count * 1_000).toISOString();
  return { type, sessionId: "made", uuid, timestamp, isSidechain: false, ...fields };
}

const user = (content: unknown, more: Fields = {}) =>
  record("user", { message: { role: "user", content }, ...more });
const gave = (id: string, more: Fields = {}) =>
  user([{ type: "tool_result", tool_use_id: id, content: "done" }], more);
const answer = (id: string, tokens: number, part: Fields, more: Fields = {}) =>
  record("assistant", {
    message: {
      id,
      role: "assistant",
      model: "m",
      content: [part],
      usage: { input_tokens: 10, output_tokens: tokens },
    },
    ...more,
  });
const text = (words: string) => ({ type: "text", text: words });
const use = (id: string, name: string, input: Fields) => ({ type: "tool_use", id, name, input });
const run = (id: string) => use(id, "Bash", { command: "ls" });

/** What a session sums up to, and what each agent was answered. */
async function sumsOf(files: Readonly<Record<string, readonly Fields[]>>) {
  const { records } = await recordsOf(
    claudeCode,
    Object.entries(files).map(([name, lines]) =>
      sourceText(lines.map((line) => `${JSON.stringify(line)}\n`).join(""), `${name}.jsonl`),
    ),
  );
  const [{ totals, agents = [] } = {}] = assemble(records);
  return {
    calls: totals?.model_calls,
    tools: totals?.tool_calls,
    output: totals?.output_tokens,
    agents: agents.map((agent) => [
      agent.agent_id === "aa",
      agent.origin,
      agent.totals?.output_tokens,
    ]),
  };
}

test("of a message whose records come after others' the tokens of the last record count", async () => {
  const made = [
    user("Go."),
    answer("msg_a", 1, run("t1")),
    gave("t1"),
    answer("msg_b", 7, run("t2")),
    answer("msg_a", 90, run("t3")),
    gave("t2"),
    gave("t3"),
    answer("msg_c", 3, text("Done.")),
  ];
  expect(await sumsOf({ made })).toMatchObject({ calls: 3, tools: 3, output: 100 });
});

test("a part of an answer that is written twice is one, with the tokens of the last record", async () => {
  const made = [user("Go."), answer("msg_a", 1, run("t1")), answer("msg_a", 30, run("t1"))];
  expect(await sumsOf({ made })).toMatchObject({ calls: 1, tools: 1, output: 30 });
});

const ASKED = [user("Go."), answer("msg_a", 5, use("t1", "Agent", { prompt: "Count." }))];
const OWN = { agentId: "aa", isSidechain: true };
const AGENT = [
  user("Count.", OWN),
  answer("msg_b", 50, run("t2"), OWN),
  gave("t2", OWN),
  answer("msg_c", 8, text("Nine."), OWN),
];

test("a sub-agent's file whose lines are written twice counts once", async () => {
  const made = [...ASKED, gave("t1", { toolUseResult: { agentId: "aa" } })];
  const once = await sumsOf({ made, "agent-aa": AGENT });
  expect(once).toEqual({
    calls: 3,
    tools: 2,
    output: 63,
    agents: [
      [false, undefined, 5],
      [true, "observed", 58],
    ],
  });
  expect(await sumsOf({ made, "agent-aa": AGENT.flatMap((line) => [line, line]) })).toEqual(once);
});

test("what a session tells of a sub-agent's progress does not count beside the sub-agent's file, which knows its tokens", async () => {
  const progress = (inner: Fields) =>
    record("progress", {
      data: { type: "agent_progress", agentId: "aa", message: inner },
      parentToolUseID: "t1",
    });
  const begun = answer("msg_b", 1, run("t2"), OWN);
  const made = [...ASKED, progress(user("Count.", OWN)), progress(begun)];
  const sums = { calls: 3, tools: 2, output: 63 };
  const agents = [
    [false, undefined, 5],
    [true, "observed", 58],
  ];
  expect(await sumsOf({ made, "agent-aa": AGENT })).toEqual({ ...sums, agents });
});

test("an answer may say the same twice in one record", async () => {
  const parts = [text("Yes."), text("No."), text("Yes.")];
  const said = record("assistant", {
    message: { id: "m1", role: "assistant", model: "m", content: parts },
  });
  const lines = [user("Go on."), said].map((one) => `${JSON.stringify(one)}\n`).join("");
  const { records, warnings } = await recordsOf(claudeCode, [sourceText(lines, "made.jsonl")]);
  expect(JSON.stringify(assemble(records)).match(/Yes\./g)?.length).toBeGreaterThan(1);
  expect(warnings.join()).not.toContain("part that its answer has already");
});

test("one record with a wrong clock leaves the times of the others alone", async () => {
  const wrong = { ...answer("m1", 1, text("One.")), timestamp: "2036-01-01T00:00:00.000Z" };
  const records = [user("Go on."), wrong, user("And?"), answer("m2", 1, text("Two."))];
  const lines = records.map((one) => `${JSON.stringify(one)}\n`).join("");
  const told = await recordsOf(claudeCode, [sourceText(lines, "made.jsonl")]);
  const [session] = assemble(told.records);
  expect(session?.conversations.at(-1)?.started_at).toMatch(/^2026-/);
});

test("an answer whose tokens were scrubbed tells none, and costs nobody knows what", async () => {
  const usage = { input_tokens: "[SCRUBBED]", output_tokens: "[SCRUBBED]", cache_creation: "-" };
  const message = {
    id: "m1",
    role: "assistant",
    model: "claude-opus-4-8",
    content: [text("Yes.")],
  };
  const lines = [user("Go."), record("assistant", { message: { ...message, usage } })];
  const { records } = await recordsOf(claudeCode, [
    sourceText(lines.map((line) => JSON.stringify(line)).join("\n"), "made.jsonl"),
  ]);
  const [{ totals } = {}] = assemble(records);
  expect(totals).toMatchObject({ cost: { total: null, calls: { missing_usage: 1 } } });
  expect(totals).not.toHaveProperty("input_tokens");
});
