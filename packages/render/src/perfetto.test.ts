import { expect, test } from "vitest";
import { call, said, tool } from "../fixtures/agent-calls.ts";
import { hostileTexts } from "../fixtures/hostile-texts.ts";
import { perfetto } from "./perfetto.ts";

test("whatever stands in a document, its trace events are JSON, with the ids as they are", () => {
  const steps = hostileTexts.map((text) => ({
    step_id: text,
    label: "tool_call",
    depends_on: [text],
    started_at: "2026-01-01T00:00:00.000Z",
    payload_started: { name: text, args: { text } },
  }));
  const session = {
    session_id: "s",
    conversations: [{ conversation_id: "r", name: "\u{2028}", steps }],
  };
  const { traceEvents } = JSON.parse(perfetto.render(session));
  const drawn = traceEvents.filter(({ ph }: { ph: string }) => ph === "X");
  expect(drawn.map(({ args }: { args: object }) => args)).toEqual(
    steps.map(({ step_id, label, depends_on }) => ({ step_id, label, depends_on })),
  );
});

test("an arrow leads from the tool call that asked for an agent to the agent's first step; what failed has a mark", () => {
  const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
  const spawn = { to: "t1", type: "subagent_spawn", origin: "inferred" as const, confidence: 0.9 };
  const steps = [
    { step_id: "t1", label: "tool_call", started_at: at(1), duration_ms: 5_000, status: "error" },
    { step_id: "c2", label: "assistant_call", agent_id: "sub", started_at: at(2), edges: [spawn] },
  ];
  const drawn = perfetto.render({
    session_id: "s",
    agents: [{ agent_id: "sub", name: "Explore" }],
    conversations: [{ conversation_id: "r", steps }],
  });
  const { traceEvents } = JSON.parse(drawn) as { traceEvents: Record<string, unknown>[] };
  const start = Date.parse(at(0)) * 1_000;
  const flows = traceEvents.filter(({ ph }) => ph === "s" || ph === "f");
  expect(flows.map(({ ph, tid, ts, args }) => [ph, tid, Number(ts) - start, args])).toEqual([
    ["s", 1, 2_000_000, { confidence: 0.9 }],
    ["f", 2, 2_000_000, { confidence: 0.9 }],
  ]);
  expect(traceEvents.find(({ ph }) => ph === "X")?.["name"]).toBe("✗ tool_call");
});

test("tools that were at work at the same time have a thread each: viewers leave out what overlaps on one", () => {
  const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
  const tool = (step_id: string, second: number, duration_ms: number) => ({
    step_id,
    label: "tool_call",
    agent_id: "main",
    started_at: at(second),
    duration_ms,
  });
  const steps = [tool("t1", 1, 3_000), tool("t2", 2, 4_000), tool("t3", 6, 1_000)];
  const drawn = perfetto.render({
    session_id: "s",
    agents: [{ agent_id: "main", name: "Claude Code" }],
    conversations: [{ conversation_id: "r", steps }],
  });
  const { traceEvents } = JSON.parse(drawn) as { traceEvents: Record<string, unknown>[] };
  const slices = traceEvents.filter(({ ph }) => ph === "X");
  expect(slices.map(({ tid }) => tid)).toEqual([1, 2, 1]);
  const names = traceEvents.filter(({ name }) => name === "thread_name");
  expect(names.map(({ tid, args }) => [tid, args])).toEqual([
    [1, { name: "Claude Code" }],
    [2, { name: "Claude Code (2)" }],
  ]);
});

test("an agent that began before the call that asked for it, by its own clock, has an arrow all the same", () => {
  const at = (ms: number) => `2026-01-01T00:00:00.${ms}Z`;
  const edges = [{ to: "t1", type: "subagent_spawn", origin: "observed" as const }];
  const steps = [
    { step_id: "t1", label: "tool_call", started_at: at(102), duration_ms: 50 },
    { step_id: "c2", label: "agent", agent_id: "sub", started_at: at(100), duration_ms: 40, edges },
  ];
  const drawn = perfetto.render({
    session_id: "s",
    conversations: [{ conversation_id: "r", steps }],
  });
  const { traceEvents } = JSON.parse(drawn) as { traceEvents: Record<string, unknown>[] };
  const flows = traceEvents.filter(({ ph }) => ph === "s" || ph === "f");
  const start = Date.parse(at(100)) * 1_000;
  expect(flows.map(({ ph, tid, ts }) => [ph, tid, Number(ts) - start])).toEqual([
    ["s", 1, 2_000],
    ["f", 2, 2_000],
  ]);
});

test("runs and agents of one name are told apart by what was said to them", () => {
  const sub = (agent_id: string) => ({
    ...{ agent_id, name: "worker", parent_agent_id: "main", spawned_by: `t-${agent_id}` },
  });
  const asked = (id: string, description: string) =>
    tool(`t-${id}`, "c1", "main", { payload_started: { name: "Task", args: { description } } });
  const session = {
    session_id: "s",
    agents: [{ agent_id: "main", name: "boss" }, sub("one"), sub("two")],
    conversations: [
      {
        conversation_id: "r1",
        name: "boss",
        steps: [
          said("c1", "Build it."),
          call("c1", "main", 0),
          asked("one", "Build the roof"),
          asked("two", "Build the walls"),
          call("c2", "one", 2),
          call("c3", "two", 2),
        ],
      },
      { conversation_id: "r2", name: "boss", steps: [said("c4", "Go on."), call("c4", "main", 9)] },
    ],
  };
  const { traceEvents } = JSON.parse(perfetto.render(session)) as {
    traceEvents: { ph: string; name: string; args: { name: string } }[];
  };
  const called = (kind: string) =>
    traceEvents.filter(({ name }) => name === kind).map(({ args }) => args.name);
  expect(called("process_name")).toEqual(["Run 1: boss · Build it.", "Run 2: boss · Go on."]);
  expect(new Set(called("thread_name"))).toEqual(
    new Set(["boss", "worker: Build the roof", "worker: Build the walls"]),
  );
});
