import { assemble } from "@thoughtflow/assemble";
import type { Session } from "@thoughtflow/schema";
import { type Workflow, workflowOfSessions } from "@thoughtflow/workflow/document";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { claudeCode } from "./claude-code.ts";

/** Records of one session, a second apart; side chains are marked by the uuid of their first record. */
function transcript() {
  let clock = 0;
  const parents = new Map<string, string>();
  const write = (chain: string, type: string, content: unknown, more: object = {}): string => {
    const uuid = `u${++clock}`;
    const parentUuid = parents.get(chain) ?? null;
    parents.set(chain, uuid);
    return JSON.stringify({
      uuid,
      parentUuid,
      type,
      sessionId: "made",
      isSidechain: chain !== "main",
      timestamp: new Date(Date.UTC(2026, 0, 1) + clock * 1_000).toISOString(),
      message: {
        role: type,
        content,
        ...(type === "assistant" && { id: `msg_${clock}`, model: "m" }),
      },
      ...more,
    });
  };
  const task = (id: string, prompt: string) => ({
    type: "tool_use",
    id,
    name: "Task",
    input: { subagent_type: id, prompt },
  });
  return {
    says: (chain: string, text: string) => write(chain, "assistant", [{ type: "text", text }]),
    isTold: (chain: string, text: string, more: object = {}) => write(chain, "user", text, more),
    asks: (chain: string, ...tasks: readonly [id: string, prompt: string][]) =>
      write(
        chain,
        "assistant",
        tasks.map(([id, prompt]) => task(id, prompt)),
      ),
    hears: (chain: string, id: string, more: object = {}) =>
      write(chain, "user", [{ type: "tool_result", tool_use_id: id, content: "done" }], more),
  };
}

async function workflowOf(
  lines: readonly string[],
  agents: Readonly<Record<string, readonly string[]>> = {},
) {
  const files = Object.entries({ made: lines, ...agents }).map(([name, own]) =>
    sourceText(own.map((line) => `${line}\n`).join(""), `${name}.jsonl`),
  );
  const { records, warnings } = await recordsOf(claudeCode, files);
  const sessions = assemble(records) as Session[];
  const { workflow_dag: dag } = workflowOfSessions(sessions, { extractionTimestamp: "" });
  const names = new Map(dag.nodes.map(({ agent_id, name = "" }) => [agent_id, name]));
  const spawns = dag.edges
    .filter(({ type }) => type === "subagent_spawn")
    .map((edge) => ({
      from: names.get(edge.source_agent_id),
      to: names.get(edge.target_agent_id),
      task: edge.spawned_by_task_id,
      confidence: edge.confidence,
    }));
  return { dag, spawns, warnings, names: [...names.values()] };
}

const MAIN = "Claude Code";

test("agents that ask for agents are found one below the other, each by its prompt", async () => {
  const { says, isTold, asks, hears } = transcript();
  const { dag, spawns, warnings } = await workflowOf([
    isTold("main", "Go"),
    asks("main", ["outer", "Look into it"]),
    isTold("a", "Look  into\nit"),
    asks("a", ["inner", "Count the files"]),
    isTold("b", "Count the files"),
    says("b", "Three"),
    hears("a", "inner"),
    says("a", "There are three"),
    hears("main", "outer"),
    says("main", "Three"),
  ]);
  expect(spawns).toEqual([
    { from: MAIN, to: "outer", task: "outer", confidence: 0.95 },
    { from: "outer", to: "inner", task: "inner", confidence: 0.95 },
  ]);
  expect(dag.metrics).toMatchObject({
    total_agents: 3,
    root_agents: 1,
    leaf_agents: 1,
    max_depth: 2,
  });
  expect(warnings).toEqual([]);
});

test("agents that work side by side each belong to their call, whatever order their records have", async () => {
  const { says, isTold, asks, hears } = transcript();
  const { spawns } = await workflowOf([
    isTold("main", "Go"),
    asks("main", ["one", "Do the first"], ["two", "Do the second"]),
    isTold("b", "Do the second"),
    isTold("a", "Do the first"),
    says("b", "Second"),
    says("a", "First"),
    hears("main", "two"),
    hears("main", "one"),
    says("main", "Both"),
  ]);
  expect(spawns.map(({ from, to }) => [from, to])).toEqual(
    expect.arrayContaining([
      [MAIN, "one"],
      [MAIN, "two"],
    ]),
  );
  expect(spawns.length).toBe(2);
});

test("a prompt that is used twice has two agents, the earlier call the earlier one", async () => {
  const { says, isTold, asks, hears } = transcript();
  const { dag, spawns } = await workflowOf([
    isTold("main", "Go"),
    asks("main", ["one", "Try"]),
    isTold("a", "Try"),
    says("a", "No"),
    hears("main", "one"),
    asks("main", ["two", "Try"]),
    isTold("b", "Try"),
    says("b", "Yes"),
    hears("main", "two"),
    says("main", "It worked"),
  ]);
  expect(spawns.map(({ to, task }) => [to, task])).toEqual([
    ["one", "one"],
    ["two", "two"],
  ]);
  expect(dag.metrics.total_agents).toBe(3);
});

test("a call without an agent, and an agent that nobody asked for, are told and nothing is made up", async () => {
  const { says, isTold, asks, hears } = transcript();
  const { spawns, warnings, names } = await workflowOf([
    isTold("main", "Go"),
    asks("main", ["gone", "Do something"]),
    hears("main", "gone"),
    isTold("a", "Warmup"),
    says("a", "Ready"),
    says("main", "Done"),
  ]);
  expect(spawns).toEqual([]);
  expect(names).toEqual([MAIN, "sub-agent"]);
  expect(warnings).toEqual([
    "made: nothing is there of 1 sub-agent that tool calls asked for",
    expect.stringContaining("No tool call asked for 1 agent: side-"),
  ]);
});

test("an id that a result names wins over equal prompts, and is sure", async () => {
  const { says, isTold, asks, hears } = transcript();
  const lines = [
    isTold("main", "Go"),
    asks("main", ["one", "Try"], ["two", "Try"]),
    hears("main", "two", { toolUseResult: { agentId: "first" } }),
    hears("main", "one", { toolUseResult: { agentId: "second" } }),
    says("main", "Both"),
  ];
  const agentFile = (agentId: string) => [
    isTold(agentId, "Try", { agentId }),
    JSON.stringify({ ...JSON.parse(says(agentId, agentId)), agentId }),
  ];
  const { dag } = await workflowOf(lines, {
    "agent-first": agentFile("first"),
    "agent-second": agentFile("second"),
  });
  const spawns = dag.edges.filter(({ type }) => type === "subagent_spawn");
  expect(
    spawns.map((edge) => [edge.target_agent_id, edge.spawned_by_task_id, edge.confidence]),
  ).toEqual([
    ["first", "two", 1],
    ["second", "one", 1],
  ]);
});

function tasksOf({ edges }: Workflow["workflow_dag"]) {
  const spawns = edges.filter(({ type }) => type === "subagent_spawn");
  return Object.fromEntries(
    spawns.map(({ target_agent_id, spawned_by_task_id }) => [target_agent_id, spawned_by_task_id]),
  );
}

test("of two with the same prompt the one whose id nobody names has the call that names none", async () => {
  const { asks, isTold, hears, says } = transcript();
  const lines = [
    isTold("main", "Ask twice."),
    asks("main", ["t1", "What is the answer?"], ["t2", "What is the answer?"]),
    hears("main", "t1", { toolUseResult: { agentId: "zz" } }),
    hears("main", "t2"),
    says("main", "42"),
  ];
  const agent = (id: string) => [
    isTold(id, "What is the answer?", { agentId: id }),
    says(id, "42."),
  ];
  const files = { "agent-aa": agent("aa"), "agent-zz": agent("zz") };
  const { dag } = await workflowOf(lines, files);
  expect(tasksOf(dag)).toEqual({ aa: "t2", zz: "t1" });
});

test("an agent that is asked for more was begun by the call that asked for it first", async () => {
  const { asks, isTold, hears, says } = transcript();
  const told = { toolUseResult: { agentId: "zz" } };
  const lines = [
    isTold("main", "Go on."),
    asks("main", ["t1", "Count the files."]),
    hears("main", "t1", told),
    asks("main", ["t2", "Count the lines, too."]),
    hears("main", "t2", told),
    says("main", "Done."),
  ];
  const own = { agentId: "zz" };
  const agent = [
    isTold("zz", "Count the files.", own),
    says("zz", "42."),
    isTold("zz", "Count the lines, too.", own),
    says("zz", "4,711."),
  ];
  const { dag, warnings } = await workflowOf(lines, { "agent-zz": agent });
  expect([tasksOf(dag), warnings]).toEqual([{ zz: "t1" }, []]);
});

test("the last answer of a sub-agent does not wait for the end of a long session", async () => {
  const { asks, isTold, hears, says } = transcript();
  const lines = [
    isTold("main", "Go on."),
    asks("main", ["t1", "Count the files."]),
    isTold("zz", "Count the files."),
    says("zz", "42."),
    hears("main", "t1"),
    ...Array.from({ length: 1_010 }, (_, n) => says("main", `Line ${n}.`)),
    isTold("zz", "Count the lines, too."),
    says("zz", "4,711."),
    ...Array.from({ length: 500 }, (_, n) => says("main", `Byte ${n}.`)),
  ];
  const file = sourceText(lines.map((line) => `${line}\n`).join(""), "made.jsonl");
  const { records } = await recordsOf(claudeCode, [file]);
  const places = records.flatMap((record, at) =>
    record.type === "span_end" &&
    record.attributes["gen_ai.operation.name"] === "chat" &&
    record.attributes["gen_ai.agent.name"] !== "Claude Code"
      ? [at]
      : [],
  );
  expect(places).toHaveLength(2);
  const [first = 0, last = 0] = places;
  expect(first).toBeGreaterThan(900);
  expect(first).toBeLessThan(1_010);
  expect(last).toBeGreaterThan(1_500);
  expect(assemble(records)[0]?.totals?.model_calls).toBe(1_513);
});

test("of calls with the same prompt one that failed has an agent last, and then for sure", async () => {
  const { asks, isTold, hears, says } = transcript();
  const prompt = "What is the answer?";
  const lines = [
    isTold("main", "Ask twice."),
    asks("main", ["t1", prompt], ["t2", prompt]),
    hears("main", "t1", {
      message: { content: [{ type: "tool_result", tool_use_id: "t1", is_error: true }] },
    }),
    hears("main", "t2"),
    says("main", "42"),
  ];
  const agent = (id: string) => [isTold(id, prompt, { agentId: id }), says(id, "42.")];
  const [one, two] = [
    await workflowOf(lines, { "agent-aa": agent("aa") }),
    await workflowOf(lines, { "agent-aa": agent("aa"), "agent-bb": agent("bb") }),
  ];
  const told = ({ spawns }: typeof one) => spawns.map(({ task, confidence }) => [task, confidence]);
  expect([told(one), one.warnings]).toEqual([[["t2", 0.95]], []]);
  expect(told(two).toSorted()).toEqual([
    ["t1", 0.95],
    ["t2", 0.95],
  ]);
});

test("a message whose records come after others' keeps its tool calls, and the agents that they ask for", async () => {
  const { says, isTold, asks, hears } = transcript();
  const prompt = "Count the files.";
  const split = (line: string, id: string) => {
    const record = JSON.parse(line);
    return JSON.stringify({ ...record, message: { ...record.message, id } });
  };
  const lines = [
    isTold("main", "Go."),
    split(says("main", "I ask."), "msg_a"),
    split(says("main", "Nothing else."), "msg_b"),
    split(asks("main", ["t1", prompt]), "msg_a"),
    split(asks("main", ["t1", prompt]), "msg_a"),
    isTold("side", prompt),
    says("side", "42."),
    hears("main", "t1"),
    says("main", "42."),
  ];
  const { spawns, warnings, dag } = await workflowOf(lines);
  expect(spawns).toEqual([{ from: MAIN, to: "t1", task: "t1", confidence: 0.95 }]);
  expect(dag.nodes.map(({ request_count }) => request_count)).toEqual([3, 1]);
  expect(warnings).toEqual([
    "Left out: 1 × record that repeats a message: of what comes after others only tool calls and tokens are kept.",
    "Left out: 1 × record that repeats a message.",
  ]);
});

test("of files of agents with one prompt the one that began first is the earlier call's, whatever they are called", async () => {
  const { says, isTold, asks, hears } = transcript();
  const main = [isTold("main", "Go"), asks("main", ["one", "Try"])];
  const first = [isTold("z", "Try"), says("z", "No")];
  main.push(hears("main", "one"), asks("main", ["two", "Try"]));
  const second = [isTold("a", "Try"), says("a", "Yes")];
  main.push(hears("main", "two"), says("main", "It worked"));
  const { dag } = await workflowOf(main, { "agent-z": first, "agent-a": second });
  expect(dag.nodes.slice(1).map(({ agent_id, name }) => [agent_id, name])).toEqual([
    ["z", "one"],
    ["a", "two"],
  ]);
});

test("a call that has its result has no agent that begins later", async () => {
  const { says, isTold, asks, hears } = transcript();
  const { spawns, warnings } = await workflowOf([
    isTold("main", "Go"),
    asks("main", ["one", "Try"]),
    hears("main", "one"),
    asks("main", ["two", "Try"]),
    isTold("a", "Try"),
    says("a", "Yes"),
    hears("main", "two"),
    says("main", "It worked"),
  ]);
  expect(spawns.map(({ to, confidence }) => [to, confidence])).toEqual([["two", 0.95]]);
  expect(warnings).toEqual([expect.stringContaining("nothing is there")]);
});

test("an agent that a file names which is read later is not that of another call with its words", async () => {
  const { says, isTold, asks, hears } = transcript();
  const main = [isTold("main", "Go"), asks("main", ["outer", "Look"], ["idle", "Count"])];
  const outer = [isTold("o", "Look"), asks("o", ["inner", "Count"])];
  const inner = [isTold("i", "Count"), says("i", "Three")];
  outer.push(hears("o", "inner", { toolUseResult: { agentId: "i" } }), says("o", "Three"));
  main.push(hears("main", "outer", { toolUseResult: { agentId: "o" } }), says("main", "Three"));
  const { spawns } = await workflowOf(main, { "agent-i": inner, "agent-o": outer });
  expect(spawns.map(({ from, to, confidence }) => [from, to, confidence])).toEqual([
    [MAIN, "outer", 1],
    ["outer", "inner", 1],
  ]);
});

test("a record of the main conversation may name beside its result the agent that gave it", async () => {
  const { says, isTold, asks, hears } = transcript();
  const main = [
    isTold("main", "Go"),
    asks("main", ["one", "Look"], ["two", "Look"]),
    // It is the main conversation's all the same: it says so.
    hears("main", "two", { agentId: "b" }),
    hears("main", "one", { agentId: "a" }),
    says("main", "Both looked"),
  ];
  const files = {
    "agent-a": [isTold("a", "Look", { agentId: "a" }), says("a", "Yes")],
    "agent-b": [isTold("b", "Look", { agentId: "b" }), says("b", "No")],
  };
  const { spawns, warnings } = await workflowOf(main, files);
  expect(spawns.map(({ from, to, confidence }) => [from, to, confidence])).toEqual([
    [MAIN, "one", 1],
    [MAIN, "two", 1],
  ]);
  expect(warnings).toEqual([]);
});
