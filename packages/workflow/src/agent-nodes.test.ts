import type { Run, Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { workflowOfSessions } from "./workflow-of-sessions.ts";

const run = (id: string, more: Partial<Run>): Run => ({
  conversation_id: id,
  steps: [{ step_id: `${id}-call`, label: "assistant_call" }],
  ...more,
});

function namesIn(session: Partial<Session>, ...conversations: readonly Run[]) {
  const whole: Session = { session_id: "thread-1", ...session, conversations: [...conversations] };
  const { workflow_dag } = workflowOfSessions([whole], { extractionTimestamp: "" });
  return workflow_dag.nodes.map(({ agent_id, name, agent_type }) => [agent_id, name, agent_type]);
}

test("an agent that nobody names is called what its runs are called, if all say the same", () => {
  const id = "agent_thread-1";
  const support = { name: "support" };
  expect(namesIn({}, run("r1", support), run("r2", support))).toEqual([[id, "support", "support"]]);
  expect(namesIn({}, run("r1", { ...support, agent: "clerk" }))).toEqual([[id, "clerk", "clerk"]]);
  expect(namesIn({}, run("r1", support), run("r2", { name: "sales" }))).toEqual([
    [id, undefined, ""],
  ]);
  expect(namesIn({}, run("r1", support), run("r2", {}))).toEqual([[id, undefined, ""]]);
});

test("an agent that the session tells of has the name that the session gives it, or none", () => {
  const ofAgent = { step_id: "c", label: "assistant_call", agent_id: "a" };
  const work: Run = { conversation_id: "r", name: "support", steps: [ofAgent] };
  expect(namesIn({ agents: [{ agent_id: "a", name: "clerk" }] }, work)).toEqual([
    ["a", "clerk", "clerk"],
  ]);
  expect(namesIn({ agents: [{ agent_id: "a" }] }, work)).toEqual([["a", undefined, ""]]);
});
