import type { Agent } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { call, tool } from "../fixtures/agent-calls.ts";
import { agentLines } from "./agent-tree.ts";

const sessionOf = (agents: Agent[]) => ({ session_id: "s", agents, conversations: [] });
const shown = (agents: Agent[]) =>
  agentLines(sessionOf(agents)).map(({ depth, name }) => `${"  ".repeat(depth)}${name}`);

test("each agent stands under the one that gave it its work; many alike stand on one line", () => {
  const probes = Array.from({ length: 4 }, (_, n) => ({ agent_id: `p${n}`, name: "probe" }));
  expect(
    shown([
      { agent_id: "a", name: "main" },
      ...probes,
      { agent_id: "b", name: "Explore", parent_agent_id: "a" },
      { agent_id: "c", name: "nested", parent_agent_id: "b" },
      { agent_id: "d", parent_agent_id: "gone" },
    ]),
  ).toEqual(["main", "  Explore", "    nested", "probe ×4", "d"]);
});

test("one agent needs no tree; agents that are their own ancestors stand at the top, once", () => {
  expect(shown([{ agent_id: "a" }])).toEqual([]);
  expect(
    shown([
      { agent_id: "a", parent_agent_id: "b" },
      { agent_id: "b", parent_agent_id: "a" },
      { agent_id: "c", parent_agent_id: "c" },
    ]),
  ).toEqual(["c", "a", "b"]);
});

test("what an agent did is counted where its document does not tell, and of very many the number is readable", () => {
  const workers = Array.from({ length: 2_000 }, (_, n) => ({
    agent_id: `w${n}`,
    name: "worker",
    parent_agent_id: "main",
  }));
  const steps = [
    call("c", "main", 0),
    tool("t", "c", "main"),
    ...workers.map(({ agent_id: id }) => call(id, id, 3)),
  ];
  const session = {
    session_id: "s",
    agents: [{ agent_id: "main", name: "boss" }, ...workers],
    conversations: [{ conversation_id: "r", steps }],
  };
  expect(agentLines(session).map(({ name, figures }) => [name, figures])).toEqual([
    ["boss", "1 model call · 1 tool call · 10 → 2 tokens"],
    ["worker ×2,000", "2,000 model calls · 20,000 → 4,000 tokens"],
  ]);
});
