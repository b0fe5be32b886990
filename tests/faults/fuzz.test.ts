import { expect, test } from "vitest";
import { fuzzAttributes, fuzzIdentifiers } from "./fuzz.ts";

// A sample: `npm run test:soak` takes a million of each.
test("hostile ids have names of their own in their place", () => {
  expect(fuzzIdentifiers(20_000, 5)).toEqual([]);
});

test("hostile attributes become records, and nothing else changes", () => {
  expect(fuzzAttributes(5_000, 5)).toEqual([]);
});
