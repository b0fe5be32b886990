import { expect, test } from "vitest";
import type { EarlierSession } from "./earlier-session.ts";
import { createPassedRecords } from "./passed-records.ts";

const session = (id: string): EarlierSession => ({ id }) as EarlierSession;
const uuid = (n: number): string => `11111111-2222-4333-8444-${String(n).padStart(12, "0")}`;

test("a record is known by the session that held it first, and by its time", () => {
  const passed = createPassedRecords(100);
  const [first, second] = [session("first"), session("second")];
  passed.add(uuid(1), { session: first, time: 5, outline: 7 });
  passed.add(uuid(1), { session: second, time: 6, outline: 7 });
  passed.add("of another form", { session: second, time: undefined, outline: 7 });
  expect(passed.get(uuid(1))).toEqual({ session: first, time: 5, outline: 7 });
  expect(passed.get("of another form")).toEqual({ session: second, time: undefined, outline: 7 });
  expect(passed.get(uuid(2))).toBeUndefined();
  passed.clear();
  expect(passed.get(uuid(1))).toBeUndefined();
});

test("what is asked for stays, what is not goes once as many others came", () => {
  const passed = createPassedRecords(100);
  const one = session("one");
  for (let n = 0; n < 1_000; n++) {
    passed.add(uuid(n), { session: one, time: n, outline: 7 });
    if (n % 40 === 0) expect(passed.get(uuid(0))).toEqual({ session: one, time: 0, outline: 7 });
  }
  const known = Array.from({ length: 1_000 }, (_, n) => passed.get(uuid(n)) !== undefined);
  expect(known.filter(Boolean).length).toBeLessThanOrEqual(100);
  expect(known[1]).toBe(false);
  expect(known[999]).toBe(true);
});
