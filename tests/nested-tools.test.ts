import { expect, test } from "vitest";
import { only } from "./dialects/only-session.ts";
import { linesOf, spanOf } from "./dialects/span-of.ts";

const TOOL = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look" };
const agent = spanOf(1, { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "a" });
const asking = spanOf(
  2,
  {
    "gen_ai.operation.name": "chat",
    "gen_ai.output.messages": JSON.stringify([
      {
        role: "assistant",
        parts: [{ type: "tool_call", id: "call_1", name: "look", arguments: { at: 1 } }],
      },
    ]),
  },
  { parent: 1 },
);
const outer = spanOf(
  3,
  { ...TOOL, "gen_ai.tool.call.result": '"seen"' },
  { parent: 1, scope: { name: "framework" } },
);
const inner = (name: string) =>
  spanOf(4, { ...TOOL, "gen_ai.tool.call.id": "call_1" }, { parent: 3, scope: { name } });

test("a tool that two layers report, one inside the other, is one call, joined by the id that either knows", () => {
  const session = only([agent, asking, outer, inner("runtime")]);
  expect(session.totals).toMatchObject({ tool_calls: 1 });
  expect(linesOf(session)).toEqual([
    'assistant_call: chat | ["look"]',
    'tool_call: look | {"at":1}',
    "tool_output: seen",
    "node: look",
  ]);
  const tool = session.conversations[0]?.steps.find(({ label }) => label === "tool_call");
  // An edge that was inferred says so.
  expect(tool?.depends_on).toBe("s_0000000000000002");
});

test("a tool that calls itself is two calls", () => {
  expect(only([agent, asking, outer, inner("framework")]).totals).toMatchObject({ tool_calls: 2 });
});
