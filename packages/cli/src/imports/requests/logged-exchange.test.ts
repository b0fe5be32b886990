import { expect, test } from "vitest";
import { timesOf } from "./logged-exchange.ts";

const answered = { timestamp: "2026-03-01T10:00:02.000Z" };
const endMs = Date.parse(answered.timestamp);

test("a request that tells no time was sent as long before its answer as that took", () => {
  for (const timestamp of [undefined, null, 0, "", "no time", -5]) {
    const request = { timestamp, body: {} };
    expect(timesOf({ request, response: answered, durationMs: 1_500 }, undefined)).toEqual({
      startMs: endMs - 1_500,
      endMs,
    });
    expect(timesOf({ request, response: answered }, undefined)).toEqual({ startMs: endMs, endMs });
  }
});

test("where nothing tells a time there is none", () => {
  const none = { startMs: 0, endMs: 0 };
  expect(timesOf({ request: {}, response: {} }, undefined)).toEqual(none);
  expect(timesOf({ request: {}, response: { timestamp: 1 }, durationMs: 5_000 }, {})).toEqual({
    startMs: 0,
    endMs: 1_000,
  });
});
