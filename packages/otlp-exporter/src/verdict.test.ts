import { describe, expect, test } from "vitest";
import { pauseAfter } from "./pause.ts";
import { verdictOn } from "./verdict.ts";

const now = Date.parse("2026-11-21T12:00:00Z");

describe("the pause after a failure", () => {
  test("doubles from a second to a minute, 20 % more or less", () => {
    const pauses = (random: number) =>
      [0, 1, 2, 5, 6, 60].map((failures) => pauseAfter(failures, undefined, now, random));
    expect(pauses(0.5)).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000]);
    expect(pauses(0)).toEqual([800, 1_600, 3_200, 25_600, 48_000, 48_000]);
    expect(pauses(1)).toEqual([1_200, 2_400, 4_800, 38_400, 72_000, 72_000]);
  });

  test.each([
    ["30", 30_000],
    ["0", 100],
    ["-1", 100],
    ["1000000000", 300_000],
    ["Sat, 21 Nov 2026 12:01:00 GMT", 60_000],
    ["Fri, 01 Jan 2100 00:00:00 GMT", 300_000],
    ["Mon, 01 Jan 2001 00:00:00 GMT", 100],
    ["soon", 1_000],
    ["1.5", 1_000],
    ["2100-01-01", 1_000],
    ["", 1_000],
  ])("is what Retry-After: %s says, within reason: %i ms", (retryAfter, pause) => {
    expect(pauseAfter(0, retryAfter, now, 0.5)).toBe(pause);
  });
});

test("each status has its verdict", () => {
  const statuses = [200, 204, 302, 400, 401, 403, 404, 413, 429, 500, 501, 502, 503, 504];
  const kinds = statuses.map((status) => {
    const { kind } = verdictOn({ status, body: new Uint8Array() }, 0, now, 0.5);
    return `${status} ${kind}`;
  });
  expect(kinds).toEqual([
    "200 accepted",
    "204 accepted",
    "302 refused",
    "400 refused",
    "401 later",
    "403 later",
    "404 refused",
    "413 smaller",
    "429 later",
    "500 refused",
    "501 refused",
    "502 later",
    "503 later",
    "504 later",
  ]);
  const error = new Error("connect ECONNREFUSED");
  expect(verdictOn({ status: 0, body: new Uint8Array(), error }, 2, now, 0.5)).toEqual({
    kind: "later",
    reason: "connect ECONNREFUSED",
    pauseMillis: 4_000,
    isAsked: false,
  });
});
