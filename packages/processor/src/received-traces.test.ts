import { expect, test } from "vitest";
import { addWaiting, createReceivedTraces, nameOfTrace, takeWaiting } from "./received-traces.ts";

test("what waits of a trace is told once, by session, with its spans", () => {
  const trace = createReceivedTraces().add("1".repeat(32));
  const own = nameOfTrace(trace.traceId);
  addWaiting(trace, own, { bytes: 10, spans: 2 });
  addWaiting(trace, "named", { bytes: 1, spans: 1 });
  addWaiting(trace, own, { bytes: 5, spans: 400 });
  addWaiting(trace, "named", { bytes: 2, spans: 30 });
  expect(Object.fromEntries(takeWaiting(trace))).toEqual({
    [own]: { bytes: 15, spans: 402 },
    named: { bytes: 3, spans: 31 },
  });
  expect(takeWaiting(trace).size).toBe(0);
});
