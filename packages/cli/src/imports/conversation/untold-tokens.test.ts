import { expect, test } from "vitest";
import { createUntoldTokens } from "./untold-tokens.ts";

const INPUT = "gen_ai.usage.input_tokens";
const OUTPUT = "gen_ai.usage.output_tokens";
const READ = "gen_ai.usage.cache_read.input_tokens";
const COST = "thoughtflow.cost.stated";

test("where no call told tokens, all that the program counted is left, with its cost", () => {
  const tokens = createUntoldTokens();
  tokens.told({});
  expect(tokens.beyond({ input: 100, output: 7, cost: 0.25, model: "m" })).toEqual({
    [INPUT]: 100,
    [OUTPUT]: 7,
    [READ]: 0,
    [COST]: 0.25,
    "gen_ai.response.model": "m",
  });
});

test("of what calls told only the rest is left, without a cost that is that of all; nothing, where they told as much or more", () => {
  const tokens = createUntoldTokens();
  tokens.told({ [INPUT]: 60, [OUTPUT]: 5, [READ]: 3 });
  tokens.told({ [INPUT]: 30 });
  expect(tokens.beyond({ input: 100, output: 5, read: 2, cost: 0.25 })).toEqual({
    [INPUT]: 10,
    [OUTPUT]: 0,
    [READ]: 0,
  });
  expect(tokens.beyond({ input: 90, output: 4 })).toBeUndefined();
  expect(tokens.beyond({ input: undefined, output: "many" })).toBeUndefined();
});
