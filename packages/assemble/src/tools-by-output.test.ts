import { expect, test } from "vitest";
import { asks, callOf, gives, recordOf, say } from "../testing/record-of.ts";
import { sessionOf } from "../testing/story-of.ts";

const root = recordOf({
  id: "f0",
  until: 9000,
  attributes: { "gen_ai.operation.name": "invoke_agent" },
});

function tool(id: number, at: number, result: string, error?: string) {
  return recordOf({
    id: `a${id}`,
    parent: "f0",
    at,
    until: at + 0.5,
    attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look" },
    content: { "gen_ai.tool.call.result": result },
    ...(error !== undefined && { error }),
  });
}

const NO_TOOL = -1;

/** The place of the tool that each output rests on, in the order of the outputs that histories tell. */
function joined(...records: Parameters<typeof sessionOf>[0]) {
  const { conversations } = sessionOf([root, ...records]);
  const steps = conversations.flatMap((run) => run.steps);
  const tools = steps.filter(({ label }) => label === "tool_call").map(({ step_id: id }) => id);
  const calls = steps.filter(({ label }) => label === "assistant_call");
  const outputs = new Map(
    steps
      .filter(({ label }) => label === "tool_output" || label === "tool_error")
      .map(({ step_id: id, depends_on: on }) => [
        id,
        [on].flat().map((one) => tools.indexOf(`${one}`)),
      ]),
  );
  return calls.map(({ depends_on: on = [] }) => [on].flat().flatMap((id) => outputs.get(id) ?? []));
}

test("outputs that histories tell without a call are those of the tools that gave the same, each one's, in order", () => {
  const count = 300;
  const spans = Array.from({ length: count }, (_, n) => [
    tool(n, 10 * n + 1, "done"),
    callOf({ id: `b${n}`, parent: "f0", at: 10 * n + 2 }, [
      say("user", `go ${n}`),
      gives("", "done"),
    ]),
  ]).flat();
  expect(joined(...spans)).toEqual(Array.from({ length: count }, (_, n) => [n]));
});

test("what a model is told of a failure is the failed tool's, and no later tool's", () => {
  const count = 150;
  const tools = Array.from({ length: count }, (_, n) =>
    tool(n, n + 1, "", `there is no file ${n}.`),
  );
  const told = (id: string, at: number, words: string) =>
    callOf({ id, parent: "f0", at }, [say("user", `go ${id}`), gives("", `It failed: ${words}`)]);
  expect(
    joined(
      ...tools,
      told("b1", 60.7, "there is no file 58."),
      told("b2", 200, "there is no file 149."),
    ),
  ).toEqual([[58], [149]]);
  expect(joined(...tools, told("b1", 60.7, "there is no file 61."))).toEqual([[NO_TOOL]]);
});

test("what a model is told of a failure has its reason in whole words, on whatever line and in whatever quotes", () => {
  const broken = tool(1, 1, "", 'there is no "file 1"');
  const told = (response: unknown) =>
    callOf({ id: "b1", parent: "f0", at: 2 }, [say("user", "go"), gives("", response)]);
  const shorter = tool(1, 1, "", "there is no file 1");
  expect(joined(shorter, told("Error: there is no file 14"))).toEqual([[NO_TOOL]]);
  expect(joined(shorter, told("Error: there is no file 14, there is no file 1"))).toEqual([[0]]);
  expect(joined(broken, told('It failed:\nthere is no "file 1"\nTry again.'))).toEqual([[0]]);
  expect(joined(broken, told({ content: [{ text: '\tthere is no "file 1"' }] }))).toEqual([[0]]);
});

test("a failed tool's output has what the model was told beside the error, else what its own span gave", () => {
  const outputOf = (...records: Parameters<typeof sessionOf>[0]) =>
    sessionOf([root, ...records])
      .conversations.flatMap((run) => run.steps)
      .find(({ label }) => label === "tool_error")?.payload_completed;
  const error = { message: "there is no file 1" };
  const told = (id: string, at: number, response: unknown) =>
    callOf({ id, parent: "f0", at }, [say("user", "go"), gives("c1", response)]);
  const { content: _, ...failed } = tool(1, 1, "", error.message);
  const named = {
    ...failed,
    attributes: { ...failed.attributes, "gen_ai.tool.call.id": "c1" },
  };
  const asked = callOf(
    { id: "b0", parent: "f0", at: 0.5 },
    [say("user", "go")],
    [say("assistant", asks("c1", "look", {}))],
  );
  const [first, again] = [told("b1", 2, "Try another path."), told("b2", 3, "Cut.")];
  expect(outputOf(asked, named, first, again)).toEqual({ result: "Try another path.", error });
  const gave = { ...named, content: { "gen_ai.tool.call.result": '"nothing"' } };
  expect(outputOf(asked, gave, first)).toEqual({ result: "Try another path.", error });
  expect(outputOf(asked, gave)).toEqual({ result: "nothing", error });
  expect(outputOf(asked, named)).toEqual({ error });
});

test("what could stand in any text, an output of nothing and another call's id are no tool's", () => {
  const answered = (id: string, at: number, response: unknown, callId = "") =>
    callOf({ id, parent: "f0", at }, [say("user", "go"), gives(callId, response)]);
  expect(joined(tool(1, 1, "", "404"), answered("b1", 2, "1404 rows"))).toEqual([[NO_TOOL]]);
  expect(joined(toolWithoutResult(), answered("b1", 2, undefined))).toEqual([[NO_TOOL]]);
  const known = tool(1, 1, "done");
  const withId = { ...known, attributes: { ...known.attributes, "gen_ai.tool.call.id": "c1" } };
  expect(joined(withId, answered("b1", 2, "done", "c2"))).toEqual([[NO_TOOL]]);
  expect(joined(withId, answered("b1", 2, "done"))).toEqual([[0]]);
});

function toolWithoutResult() {
  const { content: _, ...record } = tool(1, 1, "");
  return record;
}
