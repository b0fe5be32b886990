import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { comparePrices, type PricedBody } from "./prices/price-problems.ts";

const text = await readFile(new URL("prices/usages.jsonl", import.meta.url), "utf8");
const bodies: readonly PricedBody[] = text
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

/** What differs for a reason that `prices/SOURCE.md` gives. */
const KNOWN = [
  /^normalised, google\/anthropic claude-sonnet-4-5-20250929 \{"input_tokens":401468,/,
  /^from body, azure\/(responses|chat) gpt-5\.6-sol .*"cache_write_input_tokens":[1-9]/,
  /^normalised, \w+\/\w+ gpt-4o-2024-08-06 \{\}: null \+ null \(missing_usage\), expected 0 \+ 0$/,
];

test("prices are those of genai-prices' own test data, to the last decimal", () => {
  const { compared, fromBodies, problems } = comparePrices(bodies);
  const unknown = problems.filter((problem) => !KNOWN.some((known) => known.test(problem)));
  expect(unknown).toEqual([]);
  expect({ compared, fromBodies, known: problems.length }).toEqual({
    compared: 1554,
    fromBodies: 626,
    known: 7,
  });
});

test("a price that is not the expected one is a problem", () => {
  const [first] = bodies;
  if (first === undefined) throw new Error("no bodies");
  const dearer: PricedBody = JSON.parse(
    JSON.stringify(first).replace(/"input_price":"[^"]+"/, '"input_price":"17"'),
  );
  expect(comparePrices([dearer]).problems).toHaveLength(1);
});
