import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createIdTable } from "./id-table.ts";

test("each id has the number that it was given last, whatever its form", () => {
  const table = createIdTable();
  const ids = [
    ...Array.from({ length: 5_000 }, () => randomBytes(8).toString("hex")),
    ...Array.from({ length: 5_000 }, (_, n) => n.toString(16).padStart(16, "0")),
    ...Array.from({ length: 5_000 }, (_, n) => `toolu_${n}`),
    "ABCDEF0123456789",
    "",
  ];
  for (const id of ids) expect(table.get(id)).toBeUndefined();
  for (const [n, id] of ids.entries()) table.set(id, n + 1);
  for (const [n, id] of ids.entries()) table.set(id, n);
  expect(ids.map(table.get)).toEqual(ids.map((_, n) => n));
});

test("so has each of many, however alike they are", () => {
  const table = createIdTable();
  const idOf = (n: number) =>
    n % 2 === 0
      ? n.toString(16).padStart(16, "0")
      : `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
  const count = 100_000;
  for (let n = 0; n < count; n++) if (table.set(idOf(n), n) !== undefined) expect.fail(idOf(n));
  for (let n = 0; n < count; n++) if (table.get(idOf(n)) !== n) expect.fail(idOf(n));
  expect(table.get(idOf(count))).toBeUndefined();
  expect(table.set(idOf(7), 2 ** 32 - 2)).toBe(7);
  expect(table.get(idOf(7))).toBe(2 ** 32 - 2);
});
