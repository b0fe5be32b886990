import { expect, test } from "vitest";
import { nestedRows } from "./nested-rows.ts";

const rowsOf = (...spans: readonly (readonly [start: number, end: number])[]) => {
  const lasting = spans.map(([start, end]) => ({ start, end }));
  const rows = nestedRows(lasting, () => "");
  return lasting.map((one) => rows.get(one));
};

test("what follows and what lies within another one stands in its row, and what outlasts it in the next", () => {
  expect(rowsOf([0, 10], [10, 20], [12, 18], [12, 20])).toEqual([0, 0, 0, 0]);
  expect(rowsOf([0, 10], [5, 15], [6, 9], [8, 20], [15, 30])).toEqual([0, 1, 0, 2, 0]);
  expect(rowsOf([0, 5], [0, 10], [0, 0], [5, 5], [10, 10])).toEqual([0, 0, 0, 0, 0]);
});

test("of very many that overlap the rest share a row", () => {
  const rows = rowsOf(...Array.from({ length: 20_000 }, (_, at) => [at, at + 50_000] as const));
  expect(rows.slice(0, 3)).toEqual([0, 1, 2]);
  expect(rows.at(-1)).toBe(99);
});
