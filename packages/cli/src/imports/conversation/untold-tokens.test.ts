import { expect, test } from "vitest";
import { createToldTokens, type ProgramSums, untoldStep } from "./untold-tokens.ts";

const INPUT = "gen_ai.usage.input_tokens";
const OUTPUT = "gen_ai.usage.output_tokens";
const READ = "gen_ai.usage.cache_read.input_tokens";
const COST = "thoughtflow.cost.stated";

function beyond(sums: ProgramSums, ...told: readonly Record<string, number>[]) {
  const tokens = createToldTokens();
  for (const usage of told) tokens.told(usage);
  return untoldStep(tokens.beyond(sums))?.attributes;
}

test("where no call told tokens, all that the program counted is left, with its cost", () => {
  expect(beyond({ input: 100, output: 7, cost: 0.25, model: "m" }, {})).toEqual({
    [INPUT]: 100,
    [OUTPUT]: 7,
    [READ]: 0,
    [COST]: 0.25,
    "gen_ai.response.model": "m",
  });
});

test("of what calls told only the rest is left, without a cost that is that of all; nothing, where they told as much or more", () => {
  const told = [{ [INPUT]: 60, [OUTPUT]: 5, [READ]: 3 }, { [INPUT]: 30 }];
  expect(beyond({ input: 100, output: 5, read: 2, cost: 0.25 }, ...told)).toEqual({
    [INPUT]: 10,
    [OUTPUT]: 0,
    [READ]: 0,
  });
  expect(beyond({ input: 90, output: 4 }, ...told)).toBeUndefined();
  expect(beyond({ input: undefined, output: "many" }, ...told)).toBeUndefined();
});

test("where all calls state what they cost, the rest of the tokens cost the rest", () => {
  const sums = { input: 100, output: 7, cost: 0.3 };
  const stated = { [INPUT]: 40, [OUTPUT]: 3, [COST]: 0.1 };
  expect(beyond(sums, stated, stated)).toEqual({
    ...{ [INPUT]: 20, [OUTPUT]: 1, [READ]: 0 },
    [COST]: 0.1,
  });
  expect(beyond(sums, stated, { [INPUT]: 40 })).toEqual({ [INPUT]: 20, [OUTPUT]: 4, [READ]: 0 });
  expect(beyond({ ...sums, cost: 0.2 }, stated, stated)).not.toHaveProperty(COST);
  expect(beyond({ ...sums, input: 80, output: 6 }, stated, stated)).toBeUndefined();
});

test("a cost without tokens is a step of its own, where no call told tokens or a cost", () => {
  const sums = { input: 0, output: undefined, cost: 0.25, model: "m" };
  const tokens = createToldTokens();
  tokens.told({});
  expect(untoldStep(tokens.beyond(sums))).toEqual({
    name: "cost that no call tells",
    attributes: { [COST]: 0.25, "gen_ai.response.model": "m" },
  });
  expect(beyond(sums, { [INPUT]: 1 })).toBeUndefined();
  expect(beyond(sums, { [COST]: 0.1 })).toBeUndefined();
  expect(beyond({ ...sums, cost: 0 })).toBeUndefined();
});

test("what tokens cost that the table has no price for is what the program says, with the model that its calls name", () => {
  const sums = { input: 60, output: 5, cost: 0.25 };
  const usage = { [INPUT]: 60, [OUTPUT]: 5 };
  const at = { provider: undefined, ms: Date.UTC(2026, 0, 1) };
  const beyondCallsOf = (...models: readonly string[]) => {
    const tokens = createToldTokens();
    for (const model of models) tokens.told(usage, { model, ...at });
    return untoldStep(tokens.beyond(sums));
  };
  expect(beyondCallsOf("own-model")).toEqual({
    name: "cost that no call tells",
    attributes: {
      [INPUT]: 0,
      [OUTPUT]: 0,
      [READ]: 0,
      [COST]: 0.25,
      "gen_ai.response.model": "own-model",
    },
  });
  expect(beyondCallsOf("own-model", "other-model")?.attributes[COST]).toBe(0.25);
  expect(beyondCallsOf("gpt-5")).toBeUndefined();
  expect(beyondCallsOf("own-model", "gpt-5")).toBeUndefined();
});
