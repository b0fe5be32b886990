import { expect, test } from "vitest";
import { call } from "../fixtures/agent-calls.ts";
import { agentGraph } from "./agent-graph.ts";
import { agentsInOrder } from "./agent-order.ts";

test("agents stand below the one that asked for them, the earlier first, whatever order the document has", () => {
  const child = { parent_agent_id: "boss", spawned_by: "r/c1" };
  const steps = [
    call("c5", "untimed", 0, { started_at: undefined, ended_at: undefined }),
    call("c4", "other", 90),
    call("c3", "late", 60),
    call("c2", "early", 30),
    call("c1", "boss", 0),
  ];
  const placed = agentsInOrder(
    agentGraph({
      session_id: "s",
      agents: [
        { agent_id: "untimed" },
        { agent_id: "late", ...child },
        { agent_id: "early", ...child },
        { agent_id: "boss" },
        { agent_id: "other" },
      ],
      conversations: [{ conversation_id: "r", steps }],
    }),
  );
  expect(placed.map(({ agent, depth }) => [agent.id, depth])).toEqual([
    ["boss", 0],
    ["early", 1],
    ["late", 1],
    ["other", 0],
    ["untimed", 0],
  ]);
});
