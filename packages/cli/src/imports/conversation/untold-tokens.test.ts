import { expect, test } from "vitest";
import { attributesOfSums, createToldTokens, type ProgramSums } from "./untold-tokens.ts";

const INPUT = "gen_ai.usage.input_tokens";
const OUTPUT = "gen_ai.usage.output_tokens";
const READ = "gen_ai.usage.cache_read.input_tokens";
const COST = "thoughtflow.cost.stated";

function beyond(sums: ProgramSums, ...told: readonly Record<string, number>[]) {
  const tokens = createToldTokens();
  for (const usage of told) tokens.told(usage);
  return attributesOfSums(tokens.beyond(sums));
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
