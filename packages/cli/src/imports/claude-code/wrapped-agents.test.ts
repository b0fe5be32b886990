import { assemble } from "@thoughtflow/assemble";
import { checkSession, type Session, type Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { claudeCode } from "./claude-code.ts";

const SECOND = 1_000;
const START = Date.UTC(2026, 0, 1);

/** A transcript whose sub-agents are seen through progress records, a second apart. */
function transcript() {
  let clock = 0;
  const record = (more: object) => {
    const time = new Date(START + ++clock * SECOND).toISOString();
    return { uuid: `u${clock}`, sessionId: "made", timestamp: time, ...more };
  };
  const message = (type: string, content: unknown) => ({
    type,
    message: {
      role: type,
      content,
      ...(type === "assistant" && { id: `msg_${clock + 1}`, model: "m" }),
    },
  });
  const lines: string[] = [];
  const write = (one: object) => void lines.push(JSON.stringify(one));
  return {
    isTold: (text: string) => write(record(message("user", text))),
    asks: (id: string, prompt: string) =>
      write(
        record(
          message("assistant", [
            { type: "tool_use", id, name: "Task", input: { subagent_type: "helper", prompt } },
          ]),
        ),
      ),
    hears: (id: string) =>
      write(record(message("user", [{ type: "tool_result", tool_use_id: id, content: "done" }]))),
    /** What a sub-agent is told and says below a call; `laterMs`: how far the time in it is behind that of the record. */
    works: (agentId: string, parentToolUseID: string, words: string, laterMs = 0) => {
      const said: readonly (readonly [string, unknown])[] = [
        ["user", words],
        ["assistant", [{ type: "text", text: `${words} Done.` }]],
      ];
      for (const [type, content] of said) {
        const outer = record({ type: "progress", parentToolUseID });
        const timestamp = new Date(Date.parse(outer.timestamp) - laterMs).toISOString();
        const inner = { ...message(type, content), uuid: `i${clock}`, timestamp };
        const data = { type: "agent_progress", agentId, prompt: words, message: inner };
        write({ ...outer, data });
      }
    },
    text: () => lines.map((line) => `${line}\n`).join(""),
  };
}

async function imported(text: string) {
  const { records, warnings } = await recordsOfText(claudeCode, text);
  const [session, ...others] = assemble(records);
  expect(others).toEqual([]);
  expect(checkSession(session as Session)).toEqual([]);
  return { session: session as Session, warnings };
}

const inputOf = (step: Step | undefined) =>
  (step?.payload_started?.["input"] ?? []) as readonly string[];

const stepsOf = ({ conversations }: Session) => conversations.map(({ steps }) => steps);

test("a sub-agent whose work is done and that another call asks for more works in the run of that call, and goes on from what it said", async () => {
  const lines = transcript();
  lines.isTold("Look for bugs.");
  lines.asks("t1", "Look.");
  lines.works("a1", "t1", "Look.");
  lines.hears("t1");
  lines.isTold("Look again.");
  lines.asks("t2", "Look again.");
  lines.works("a1", "t2", "Look again.");
  lines.hears("t2");
  const { session, warnings } = await imported(lines.text());
  expect(warnings.filter((warning) => warning.includes("asked"))).toEqual([]);
  expect(session.agents?.map(({ agent_id, totals }) => [agent_id, totals?.model_calls])).toEqual([
    [expect.stringMatching(/^agent_/), 2],
    ["a1", 2],
  ]);
  const runs = stepsOf(session);
  const calls = runs.map((steps) =>
    steps.filter(({ label, agent_id }) => label === "assistant_call" && agent_id === "a1"),
  );
  expect(calls.map(({ length }) => length)).toEqual([1, 1]);
  const spawns = runs.map((steps) => {
    const agent = steps.find(({ label }) => label === "agent");
    const [edge] = (agent?.edges ?? []).filter(({ type }) => type === "subagent_spawn");
    const tool = steps.find(({ step_id }) => step_id === edge?.to);
    return [edge?.origin, tool?.payload_started?.["call_id"]];
  });
  expect(spawns).toEqual([
    ["observed", "t1"],
    ["observed", "t2"],
  ]);
  const [first = []] = runs;
  const said = first.filter(({ step_id }) => inputOf(calls[1]?.[0]).includes(step_id));
  expect(said.map(({ label, agent_id }) => [label, agent_id])).toEqual([["assistant_call", "a1"]]);
});

test("what comes late of a call belongs to what the agent did for that call", async () => {
  const lines = transcript();
  lines.isTold("Look for bugs.");
  lines.asks("t1", "Look.");
  lines.works("a1", "t1", "Look.");
  lines.hears("t1");
  lines.asks("t2", "Look again.");
  lines.works("a1", "t2", "Look again.");
  lines.hears("t2");
  lines.works("a1", "t1", "And that.");
  lines.works("a1", "t2", "And this.");
  const { session } = await imported(lines.text());
  const agents = stepsOf(session)
    .flat()
    .filter(({ label }) => label === "agent");
  expect(agents.map(({ edges = [] }) => edges.map(({ type }) => type))).toEqual([
    ["subagent_spawn"],
    ["subagent_spawn"],
  ]);
  expect(agents.every(({ duration_ms: ms }) => ms !== undefined)).toBe(true);
});

test("a sub-agent that still works is the one of the call that began it, whatever call its records name", async () => {
  const lines = transcript();
  lines.isTold("Look for bugs.");
  lines.asks("t1", "Look.");
  lines.works("a1", "t1", "Look.");
  lines.asks("t2", "Look elsewhere.");
  lines.works("a1", "t2", "Look elsewhere.");
  const { session } = await imported(lines.text());
  const agents = stepsOf(session).flat();
  expect(agents.filter(({ label }) => label === "agent").length).toBe(1);
});

test.each([
  ["a second", SECOND, SECOND],
  ["ten days", 864_000 * SECOND, 0],
])(
  "what a sub-agent says %s before the record of it was said then, but not days before",
  async (_, laterMs, earlierMs) => {
    const lines = transcript();
    lines.isTold("Look for bugs.");
    lines.asks("t1", "Look.");
    lines.works("a1", "t1", "Look.", laterMs);
    lines.hears("t1");
    const { session } = await imported(lines.text());
    const call = stepsOf(session)
      .flat()
      .find(({ label, agent_id }) => label === "assistant_call" && agent_id === "a1");
    expect(Date.parse(call?.ended_at ?? "")).toBe(START + 4 * SECOND - earlierMs);
  },
);
