import { expect, test } from "vitest";
import { createOpenLine } from "./open-line.ts";

const MIB = 2 ** 20;

test("a line grows beyond the room that was made for it", () => {
  const line = createOpenLine();
  const piece = Buffer.alloc(20 * MIB);
  for (let n = 1; n <= 5; n++) line.add(piece.fill(n));
  const bytes = line.bytes();
  expect(bytes).toHaveLength(100 * MIB);
  expect([0, 20, 40, 60, 80].map((at) => bytes[at * MIB])).toEqual([1, 2, 3, 4, 5]);
  expect(bytes.at(-1)).toBe(5);
});
