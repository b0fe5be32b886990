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

test("tables that are asked in turns for the same ids tell them apart, also where one of them grows", () => {
  const [one, other] = [createRecordRows(), createRecordRows()];
  for (let n = 0; n < 5_000; n++) {
    const id = `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
    expect(other.get(id)).toBeUndefined();
    expect(one.of(id)).toBe(n);
    if (n % 2 === 0) expect(other.of(id)).toBe(n / 2);
    expect(one.get(id)).toBe(n);
  }
  expect(other.get("")).toBeUndefined();
});
