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

test("calls with different ids are different calls, of whatever layers", () => {
  const task = (id: number, parent: number, name: string) =>
    spanOf(id, { ...TOOL, "gen_ai.tool.call.id": `call_${id}` }, { parent, scope: { name } });
  const session = only([agent, task(3, 1, "framework"), task(4, 3, "runtime")]);
  expect(session.totals).toMatchObject({ tool_calls: 2 });
});

const layer = (id: number, name: string, more = {}) =>
  spanOf(id, { ...TOOL, ...more }, { parent: id === 3 ? 1 : id - 1, scope: { name } });

test("a tool that three layers report is one call, whichever of them began first by its clock", () => {
  const layers = ["framework", "runtime", "protocol"].map((name, n) => layer(3 + n, name));
  const id = { "gen_ai.tool.call.id": "call_1" };
  const [first, second] = layers;
  const third = layer(5, "protocol", id);
  const early = { ...third, startTimeUnixNano: "1699999999000000000" };
  for (const inmost of [third, early]) {
    const session = only([agent, asking, first, second, inmost].filter((one) => one !== undefined));
    expect(session.totals).toMatchObject({ tool_calls: 1 });
    const tool = session.conversations[0]?.steps.find(({ label }) => label === "tool_call");
    expect(tool).toMatchObject({ step_id: "s_0000000000000003", depends_on: "s_0000000000000002" });
  }
});

test("a tool that calls itself through other layers is as many calls as its framework tells", () => {
  const layers = ["framework", "runtime", "framework", "runtime"].map((name, n) =>
    layer(3 + n, name),
  );
  expect(only([agent, ...layers]).totals).toMatchObject({ tool_calls: 2 });
});
