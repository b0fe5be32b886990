import { expect, test } from "vitest";
import { createStartOrder, type Logged } from "./start-order.ts";

function order(
  logged: readonly (readonly [startMs: number, characters?: number])[],
): readonly (readonly number[])[] {
  const inOrder = createStartOrder<Logged & { readonly nth: number }>();
  const given = logged.map(([startMs, characters = 1], nth) =>
    inOrder.add({ startMs, characters, nth }),
  );
  return [...given, inOrder.rest()].map((due) => due.map(({ nth }) => nth));
}

test("what began first comes first, and what began at once as it was logged", () => {
  expect(order([[30], [10], [20], [10]]).at(-1)).toEqual([1, 3, 2, 0]);
});

test("what has no time keeps its place in the log", () => {
  expect(order([[20], [0], [10], [0]]).at(-1)).toEqual([2, 3, 0, 1]);
});

test("of many some are given before all are there, and no more text is held than fits", () => {
  const many = order(Array.from({ length: 100 }, (_, n) => [1_000 - n] as const));
  expect(many.slice(0, 64).flat()).toEqual([]);
  expect(many.flat()).toHaveLength(100);
  expect(
    order([
      [1, 20_000_000],
      [2, 20_000_000],
      [3, 40_000_000],
    ]),
  ).toEqual([[], [0], [1], [2]]);
});
