import { expect, test } from "vitest";
import { createTraceRows } from "./trace-rows.ts";

// Nothing can be counted of how a process is found: if each were looked for among the others, these would never end.
test("hundreds of thousands of traces of a process each are told in one pass", () => {
  const rows = createTraceRows();
  for (let n = 0; n < 200_000; n++)
    rows.begin({
      ...{ id: n.toString(16).padStart(32, "0"), whole: undefined, slice: 0 },
      ...{ instance: `process ${n}`, first: BigInt(n), firstSeq: 0 },
    });
  expect([0, 199_999].map((n) => rows.at(n).instance)).toEqual(["process 0", "process 199999"]);
});
