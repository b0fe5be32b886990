import { expect, test } from "vitest";
import { createWordRows } from "./word-rows.ts";

test("each place has the number that it was given last, and 0 where it was given none, in whichever order they come", () => {
  const rows = createWordRows(3);
  const numberAt = (row: number) => (row * 0x9e3779b1) | 0;
  const order = Array.from({ length: 20_000 }, (_, n) => (n * 7_919) % 20_000);
  for (const row of order.filter((one) => one % 5 > 0)) rows.set(row, 1, numberAt(row));
  rows.set(17, 2, -1);
  for (const row of order)
    expect([0, 1, 2].map((column) => rows.get(row, column))).toEqual([
      0,
      row % 5 > 0 ? numberAt(row) : 0,
      row === 17 ? -1 : 0,
    ]);
  expect(rows.get(1_000_000, 0)).toBe(0);
});
