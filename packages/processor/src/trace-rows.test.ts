import { expect, test } from "vitest";
import { createTraceRows } from "./trace-rows.ts";

test("traces of a process each take no longer than those of one", () => {
  const { begin } = createTraceRows();
  const before = performance.now();
  const rows = Array.from({ length: 40_000 }, (_, n) =>
    begin({
      ...{ id: n.toString(16).padStart(32, "0"), whole: undefined, slice: 0 },
      ...{ instance: `process ${n}`, first: BigInt(n), firstSeq: 0 },
    }),
  );
  expect(performance.now() - before).toBeLessThan(2_000);
  expect(rows.map(({ instance }) => instance).slice(-2)).toEqual([
    "process 39998",
    "process 39999",
  ]);
});
