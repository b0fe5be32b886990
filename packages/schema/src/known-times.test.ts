import { expect, test } from "vitest";
import { isKnownMoment, knownDuration } from "./known-times.ts";

test("of what has no times a duration of 0 is none, and one that was told is", () => {
  const started_at = "1970-01-01T00:00:00.281Z";
  expect(isKnownMoment(started_at)).toBe(false);
  expect(isKnownMoment("2026-01-01T00:00:00.281Z")).toBe(true);
  expect(knownDuration({ started_at, duration_ms: 0 })).toBeUndefined();
  expect(knownDuration({ started_at, duration_ms: 281 })).toBe(281);
  expect(knownDuration({ started_at: "2026-01-01T00:00:00.281Z", duration_ms: 0 })).toBe(0);
  expect(knownDuration({ duration_ms: 0 })).toBe(0);
  expect(knownDuration({ started_at })).toBeUndefined();
});
