import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createRecordRows } from "./record-rows.ts";

test("each id has a number of its own, whatever its form", () => {
  const rows = createRecordRows();
  const ids = [
    ...Array.from({ length: 5_000 }, () => randomUUID()),
    ...Array.from(
      { length: 300 },
      (_, n) => `11111111-2222-4333-8444-${String(n).padStart(12, "0")}`,
    ),
    "AAAAAAAA-2222-4333-8444-000000000000",
    "aaaaaaaa-2222-4333-8444-000000000000",
    "msg_1",
    "",
  ];
  for (const id of ids) expect(rows.get(id)).toBeUndefined();
  const numbers = ids.map(rows.of);
  expect(new Set(numbers).size).toBe(ids.length);
  expect(ids.map(rows.get)).toEqual(numbers);
  expect(ids.map(rows.of)).toEqual(numbers);
});
