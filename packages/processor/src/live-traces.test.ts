import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { expect, test } from "vitest";
import { createLiveTraces } from "./live-traces.ts";

test("above the limit the oldest traces go, but none whose spans are open or not read yet", () => {
  const traces = createLiveTraces(10);
  const open = traces.getOrCreate("open");
  open.open.set("s", {
    runId: "r",
    isRoot: true,
    rootSpanId: "s",
    span: undefined,
    since: 0,
    isCollectable: false,
    parentSpanId: undefined,
    isParent: false,
  });
  traces.getOrCreate("unread").unread.push({} as ReadableSpan);
  for (let at = 0; at < 100; at += 1) traces.getOrCreate(`t${at}`);
  const kept = [...traces.values()].map(({ traceId }) => traceId);
  expect(kept.slice(0, 2)).toEqual(["open", "unread"]);
  expect(kept.at(-1)).toBe("t99");
  expect(kept.length).toBeLessThanOrEqual(10);
});

test("traces whose spans all wait to be read are all kept", () => {
  const traces = createLiveTraces(10);
  for (let at = 0; at < 1_000; at += 1)
    traces.getOrCreate(`t${at}`).unread.push({} as ReadableSpan);
  expect([...traces.values()]).toHaveLength(1_000);
});
