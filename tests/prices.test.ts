import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { comparePrices, type PricedBody } from "./prices/price-problems.ts";

const bodies: readonly PricedBody[] = JSON.parse(
  await readFile(new URL("prices/usages.json", import.meta.url), "utf8"),
);

test("prices are those of genai-prices' own test data, to the last decimal", () => {
  const { compared, fromBodies, problems } = comparePrices(bodies);
  expect(problems).toEqual([]);
  expect({ compared, fromBodies }).toEqual({ compared: 124, fromBodies: 77 });
});

test("a price that is not the expected one is a problem", () => {
  const [first] = bodies;
  if (first === undefined) throw new Error("no bodies");
  const dearer: PricedBody = JSON.parse(
    JSON.stringify(first).replace(/"input_price":"[^"]+"/, '"input_price":"17"'),
  );
  expect(comparePrices([dearer]).problems).toHaveLength(1);
});
