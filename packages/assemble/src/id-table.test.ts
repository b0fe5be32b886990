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
