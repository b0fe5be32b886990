import type { Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { lastOfMainAgent } from "./main-agent.ts";

const sessionOf = (...calls: readonly [id: string, agent: string][]): Session => ({
  session_id: "s",
  agents: [
    { agent_id: "main" },
    { agent_id: "child", parent_agent_id: "main" },
    { agent_id: "title" },
  ],
  conversations: [
    {
      conversation_id: "r",
      steps: calls.map(([step_id, agent_id]) => ({ step_id, label: "assistant_call", agent_id })),
    },
  ],
});

const lastOf = (session: Session) =>
  lastOfMainAgent(session, ({ label }) => label === "assistant_call")?.step.step_id;

test("the last step is the main agent's, not a sub-agent's nor that of a question asked beside", () => {
  expect(
    lastOf(
      sessionOf(["m1", "main"], ["m2", "main"], ["c1", "child"], ["c2", "child"], ["t1", "title"]),
    ),
  ).toBe("m2");
  expect(lastOf(sessionOf(["m1", "main"], ["c1", "child"], ["c2", "child"]))).toBe("m1");
  expect(lastOf(sessionOf(["c1", "child"]))).toBe("c1");
  expect(lastOf(sessionOf())).toBeUndefined();
});
