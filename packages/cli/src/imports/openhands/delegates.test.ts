import { assemble } from "@thoughtflow/assemble";
import { checkSession } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { openhands } from "./openhands.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A trajectory of a version before 1.0: its events, each a second after the one before. */
async function sessionOf(...events: readonly Fields[]) {
  const told = events.map((event, id) => ({
    id,
    timestamp: `2025-05-01T10:00:${String(id).padStart(2, "0")}`,
    source: "agent",
    ...event,
  }));
  const { records, warnings } = await recordsOf(openhands, [
    sourceText(JSON.stringify(told), "trajectory.json"),
  ]);
  const [session] = assemble(records);
  expect(session && checkSession(session)).toEqual([]);
  const steps = session?.conversations.flatMap((run) => run.steps) ?? [];
  const agents = (session?.agents ?? []).map(({ name, spawned_by, origin, totals }) => ({
    name,
    origin,
    call: steps.find(({ step_id }) => spawned_by?.endsWith(`/${step_id}`))?.payload_started?.[
      "call_id"
    ],
    sums: [totals?.model_calls, totals?.tool_calls, totals?.input_tokens],
  }));
  return { session, steps, agents, warnings };
}

const said = (content: string) => ({ source: "user", action: "message", args: { content } });
const state = (source: string) => ({
  source,
  action: "change_agent_state",
  args: { agent_state: "running" },
});

/** An answer of the model, and the action that was taken from it. */
function acted(call: string, tool: string, action: string, args: Fields): Fields {
  const asked = { id: call, type: "function", function: { name: tool, arguments: "{}" } };
  return {
    action,
    args,
    tool_call_metadata: {
      tool_call_id: call,
      model_response: {
        id: `answer-${call}`,
        model: "m",
        choices: [{ index: 0, message: { role: "assistant", tool_calls: [asked] } }],
        usage: { prompt_tokens: 10, completion_tokens: 1 },
      },
    },
  };
}
const run = (call: string) => acted(call, "execute_bash", "run", { command: "ls" });
const ran = (call: string) => ({
  observation: "run",
  content: "a b",
  tool_call_metadata: { tool_call_id: call },
});
const handOn = (call: string, agent: string, tool = "delegate_to_browsing_agent") =>
  acted(call, tool, "delegate", { agent, inputs: { task: "Look." } });
const cameBack = { observation: "delegate", content: "It was found." };
const end = (call: string) => acted(call, "finish", "finish", { outputs: {} });

test("what stands between the call that hands work on and its result is a sub-agent's, also within another one", async () => {
  const { agents, warnings, steps } = await sessionOf(
    said("Go."),
    handOn("c1", "BrowsingAgent"),
    said("TASK: Look."),
    run("c2"),
    ran("c2"),
    handOn("c3", "VerifierAgent", "delegate"),
    end("c4"),
    cameBack,
    end("c5"),
    cameBack,
    run("c6"),
    ran("c6"),
    end("c7"),
  );
  expect(agents).toEqual([
    { name: "OpenHands", origin: undefined, call: undefined, sums: [3, 3, 30] },
    { name: "BrowsingAgent", origin: "observed", call: "c1", sums: [3, 3, 30] },
    { name: "VerifierAgent", origin: "observed", call: "c3", sums: [1, 1, 10] },
  ]);
  expect(steps.filter(({ label }) => label === "tool_output").length).toBe(7);
  expect(warnings.filter((line) => !line.startsWith("Left out"))).toEqual([]);
});

test("work that was handed on and refused is over: what follows is the caller's", async () => {
  const { agents } = await sessionOf(
    said("Go."),
    handOn("c1", "BrowsingAgent"),
    { observation: "error", content: "No such agent.", cause: 1 },
    run("c2"),
    ran("c2"),
    end("c3"),
  );
  expect(agents.map(({ name, sums }) => [name, sums[0]])).toEqual([["OpenHands", 3]]);
});

test("what an evaluation leaves out of a sub-agent is told as missing", async () => {
  const { agents, warnings } = await sessionOf(
    said("Go."),
    handOn("c1", "BrowsingAgent"),
    cameBack,
    end("c2"),
  );
  expect(agents.map(({ sums }) => sums)).toEqual([[2, 2, 20]]);
  expect(warnings).toContainEqual(expect.stringContaining("nothing is there"));
});

test("what the program does, what a person ran, and what a history was replaced by are no calls of a model", async () => {
  const { session, steps } = await sessionOf(
    state("environment"),
    said("Go."),
    state("user"),
    run("c1"),
    ran("c1"),
    { source: "user", action: "run", args: { command: "pwd" } },
    { observation: "run", content: "/", cause: 5 },
    { action: "condensation_request", args: {} },
    { action: "condensation", args: { forgotten_event_ids: [3, 4], summary: "It ran ls." } },
    end("c2"),
  );
  const { model_calls, tool_calls } = session?.totals ?? {};
  expect([session?.conversations.length, model_calls, tool_calls]).toEqual([1, 2, 2]);
  const continued = steps.filter(({ edges = [] }) =>
    edges.some(({ type }) => type === "continues"),
  );
  expect(continued.map(({ label }) => label)).toEqual(["assistant_call"]);
  expect(JSON.stringify(steps)).toContain("It ran ls.");
  expect(JSON.stringify(steps)).toContain("pwd");
});
