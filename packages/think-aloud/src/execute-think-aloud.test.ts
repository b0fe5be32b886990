import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { traceTool, withRun, withToolCall } from "@thoughtflow/tracing";
import { contentOf } from "@thoughtflow/tracing/internal";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { createThoughtBudget, executeThinkAloud, isThinkAloudCall } from "./index.ts";

const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
afterEach(() => exporter.reset());

const thoughts = () => exporter.getFinishedSpans().filter(({ name }) => name === "thought");

function inRun<T>(session: string, fn: () => T): T {
  return withRun({ session }, fn);
}

test("a chain of thoughts: the model names them, gets the names back, and refers to them", () => {
  const results = inRun("chain", () => [
    executeThinkAloud({
      id: "call_1",
      type: "function",
      function: {
        name: "think_aloud",
        arguments:
          '{"thought_id":"plan","thought":"First the weather.","thought_type":"planning","confidence":0.9}',
      },
    }),
    executeThinkAloud({
      type: "function_call",
      call_id: "call_2",
      name: "think_aloud",
      arguments:
        '{"thought_id":"got_it","thought":"72 degrees.","thought_type":"observation","related_to":"plan"}',
    }),
    executeThinkAloud({ thought: "No name needed.", thought_type: "reflection" }),
  ]);
  expect(results).toEqual([
    { acknowledged: true, thoughtId: "plan", message: "Thought recorded with ID: plan" },
    { acknowledged: true, thoughtId: "got_it", message: "Thought recorded with ID: got_it" },
    { acknowledged: true, thoughtId: "thought-3", message: "Thought recorded with ID: thought-3" },
  ]);
  const [, second] = thoughts();
  expect(second?.attributes).toMatchObject({
    "thoughtflow.step.id": "got_it",
    "thoughtflow.thought.type": "observation",
    "thoughtflow.thought.number": 2,
    "gen_ai.tool.call.id": "call_2",
    "thoughtflow.depends_on": ["plan", "plan"],
    "thoughtflow.depends_on.types": ["related_to", "follows"],
  });
  expect(second?.links.length).toBe(2);
});

test("a thought may be about a tool call", () => {
  inRun("about a tool", () => {
    withToolCall({ name: "weather", id: "lookup" }, () => "72");
    const result = executeThinkAloud({
      thought: "Warm.",
      thought_type: "observation",
      related_to: "lookup",
    });
    expect(result.error).toBeUndefined();
  });
  expect(thoughts()[0]?.attributes["thoughtflow.depends_on"]).toEqual(["lookup"]);
});

const said = { thought: "So.", thought_type: "reasoning" };

test.each([
  [
    [
      { ...said, thought_id: "a" },
      { ...said, thought_id: "a" },
    ],
    "a~2",
    /"a" was used before: this thought is "a~2"/,
  ],
  [
    [{ ...said, thought_id: "" }],
    "thought-1",
    /thought_id must be a short name that is not empty, but was ""/,
  ],
  [[{ ...said, thought_id: 7 }], "7", /thought_id must be .*, but was 7/],
  [
    [{ ...said, thought_id: "x".repeat(300) }],
    "thought-1",
    /thought_id must be at most 200 characters/,
  ],
  [
    [said, { ...said, related_to: "nowhere" }],
    "thought-2",
    /"nowhere" is no earlier thought and no tool call\. Earlier: thought-1\./,
  ],
  [[{ ...said, thought_id: "self", related_to: "self" }], "self", /leads back to this thought/],
  [
    [
      { ...said, thought_id: "one", related_to: "two" },
      { ...said, thought_id: "two", related_to: "one" },
    ],
    "two",
    /related_to "one" leads back to this thought; it is kept without/,
  ],
  [
    [{ ...said, thought_type: "hunch" }],
    "thought-1",
    /thought_type must be one of planning, .*critique, but was "hunch"/,
  ],
  [
    [{ ...said, confidence: 90 }],
    "thought-1",
    /confidence must be a number from 0 to 1, but was 90/,
  ],
  [[{ ...said, confidence: "0.9" }], "thought-1", /confidence must be .*, but was "0.9"/],
  [
    [{ ...said, alternatives: "other" }],
    "thought-1",
    /alternatives must be a list of texts, but was "other"/,
  ],
  [[{ thought_type: "planning" }], "thought-1", /thought is missing/],
  [[{ thought: ["a", 1] }], "thought-1", /thought must be a text/],
  [["{not json"], "thought-1", /no JSON: give an object with thought_id, thought/],
  [[null], "thought-1", /must be an object, but were null/],
] as const)("%j is kept as %s, and the model is told", (calls, id, error) => {
  const results = inRun(JSON.stringify(calls).slice(0, 150), () =>
    calls.map((call) => executeThinkAloud(call)),
  );
  expect(results.at(-1)).toEqual({
    acknowledged: true,
    thoughtId: id,
    message: `Thought recorded with ID: ${id}`,
    error: expect.stringMatching(error),
  });
  expect(thoughts().length).toBe(calls.length);
});

test("what is kept of a wrong argument is what it most likely means", () => {
  inRun("kept", () =>
    executeThinkAloud({
      thought: { so: 1 },
      confidence: "0.9",
      alternatives: "other",
      mood: "calm",
    }),
  );
  const [span] = thoughts();
  expect(span && contentOf(span)).toMatchObject({
    values: {
      "thoughtflow.step.started": {
        thought: '{"so":1}',
        thought_type: "reasoning",
        confidence: 0.9,
        alternatives: ["other"],
        mood: "calm",
      },
    },
  });
});

test("a model that only thinks is told to act, and what it thinks is kept", () => {
  const budget = createThoughtBudget(3);
  const errors = inRun("loop", () =>
    ["Hi.", "Hi.", "A greeting.", "Should I greet?"].map((thought) => [
      executeThinkAloud({ ...said, thought }, { budget }).error,
      budget.left,
    ]),
  );
  expect(errors).toEqual([
    [undefined, 2],
    ["You said exactly this just before: go on instead of repeating it.", 1],
    [expect.stringContaining("the last of the 3 thoughts of this turn"), 0],
    [expect.stringContaining("Do not call think_aloud again: answer the user"), 0],
  ]);
  expect(budget.isSpent).toBe(true);
  expect(thoughts().length).toBe(4);
});

test("without a budget of its own a turn has ten thoughts", () => {
  const errors = inRun("default", () =>
    Array.from({ length: 11 }, (_, n) => executeThinkAloud({ ...said, thought: `${n}` }).error),
  );
  expect(errors.filter((error) => error !== undefined).length).toBe(2);
  expect(() => createThoughtBudget(0)).toThrow("must be a whole number from 1, got 0");
});

test.each([
  [{ id: "c", function: { name: "think_aloud", arguments: "{}" } }, true],
  [{ call_id: "c", name: "mcp__box__think_aloud", arguments: "{}" }, true],
  [{ method: "tools/call", params: { name: "think_aloud", arguments: {} } }, true],
  [{ id: "c", function: { name: "weather", arguments: "{}" } }, false],
  [{ thought: "alone" }, false],
  [undefined, false],
])("%j is a call of it: %s", (call, is) => {
  expect(isThinkAloudCall(call)).toBe(is);
});

test("whatever a model gives, it gets an id that it can use", () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.jsonValue(), fc.string()), (call) => {
      const result = inRun("anything", () => executeThinkAloud(call));
      expect(result).toMatchObject({ acknowledged: true, thoughtId: expect.stringMatching(/./s) });
      JSON.stringify(result);
    }),
  );
});

test("a traced think_aloud that no model call asked for leaves its thought, or else itself", async () => {
  const think = traceTool("think_aloud", (args: object) => executeThinkAloud(args));
  const thinkLater = traceTool("think_aloud", async (args: object) => {
    await Promise.resolve();
    return executeThinkAloud(args);
  });
  const own = traceTool("think_aloud", (args: { readonly thought: string }) => args.thought.length);
  const steps = () => exporter.getFinishedSpans().map(({ name }) => name);
  const thought = { thought: "First the weather.", thought_type: "planning" };

  inRun("traced", () => think(thought));
  expect(steps()).toEqual(["thought", "invoke_agent"]);
  exporter.reset();

  await withRun({ session: "traced" }, () => thinkLater(thought));
  expect(steps()).toEqual(["thought", "invoke_agent"]);
  exporter.reset();

  expect(inRun("traced", () => own(thought))).toBe(18);
  expect(steps()).toEqual(["execute_tool think_aloud", "invoke_agent"]);
  exporter.reset();

  expect(() => inRun("traced", () => own(JSON.parse("null")))).toThrow(TypeError);
  expect(steps()).toEqual(["execute_tool think_aloud", "invoke_agent"]);
});
