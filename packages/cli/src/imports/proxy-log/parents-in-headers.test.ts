import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { proxyLog } from "./proxy-log.ts";

interface Asked {
  /** What the client calls the sub-agent that asks, and the one above it. */
  readonly agent?: string;
  readonly parent?: string;
  readonly said: string;
}

/** A log as Claude Code's requests make it, one a second, of which each is answered in words. */
function log(...asked: readonly Asked[]): string {
  const lines = asked.map(({ agent, parent, said }, nth) =>
    JSON.stringify({
      request: {
        timestamp: 1_770_000_000 + nth,
        method: "POST",
        url: "https://api.anthropic.com/v1/messages",
        headers: { "x-claude-code-agent-id": agent, "x-claude-code-parent-agent-id": parent },
        body: {
          ...{ model: "claude-opus-4-8", max_tokens: 32_000 },
          messages: [{ role: "user", content: said }],
          metadata: { user_id: JSON.stringify({ session_id: "s" }) },
        },
      },
      response: {
        timestamp: 1_770_000_000.5 + nth,
        status_code: 200,
        body: {
          ...{ id: `msg_${nth}`, type: "message", role: "assistant", model: "claude-opus-4-8" },
          ...{ content: [{ type: "text", text: `Done: ${said}` }], stop_reason: "end_turn" },
          usage: { input_tokens: 10, output_tokens: 5 },
        },
      },
    }),
  );
  return lines.join("\n");
}

async function agentsOf(...asked: readonly Asked[]) {
  const { records, warnings } = await recordsOfText(proxyLog, log(...asked));
  const [session] = assemble(records);
  const agents = session?.agents?.map((agent) => [
    ...[agent.agent_id, agent.parent_agent_id, agent.spawned_by, agent.origin],
    agent.totals?.model_calls,
  ]);
  const unasked = warnings.filter((line) => line.startsWith("No tool call asked for"));
  return { agents, runs: session?.conversations.length, unasked };
}

const ABOVE = { agent: "a", said: "Sort out the orchard." };
const BELOW = { agent: "b", parent: "a", said: "Count the apples." };

test("an agent is below the one that its request names, also where no tool call that asked for it was logged", async () => {
  expect(await agentsOf(ABOVE, BELOW)).toEqual({
    agents: [
      ["agent_msg_0", undefined, undefined, undefined, 1],
      ["agent_msg_1", "agent_msg_0", undefined, "observed", 1],
    ],
    runs: 1,
    unasked: [],
  });
});

test("it is so where the one above is logged later, and by the next request of the one below", async () => {
  const again = { ...BELOW, said: "Count the pears." };
  expect(await agentsOf(BELOW, ABOVE, again)).toMatchObject({
    agents: [
      ["agent_msg_0", "agent_msg_1", undefined, "observed", 2],
      ["agent_msg_1", undefined, undefined, undefined, 1],
    ],
    unasked: [],
  });
});

test("where the one above is not in the log that is said, and it is nobody's", async () => {
  expect(await agentsOf(BELOW)).toEqual({
    agents: [["agent_msg_0", undefined, undefined, undefined, 1]],
    runs: 1,
    unasked: ["No tool call asked for 1 agent: b (s)"],
  });
});
