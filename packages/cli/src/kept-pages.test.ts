import { expect, test } from "vitest";
import { giveBackPages, keepBelow, keepPagesFew } from "./kept-pages.ts";

const MIB = 2 ** 20;

test("pages in which nothing is are given back, once until there are many again", () => {
  let kept = 100 * MIB;
  const given: number[] = [];
  const look = keepPagesFew(
    () => kept,
    () => {
      given.push(kept / MIB);
      kept = 120 * MIB;
    },
  );
  for (const now of [100, 163, 164, 120, 183, 184, 120]) {
    kept = now * MIB;
    look();
  }
  expect(given).toEqual([164, 184]);
});

test("what a thread has while it works counts no longer once it has ended", () => {
  const own = 60 * MIB;
  let empty = 0;
  let ofThread = 0;
  const given: number[] = [];
  const look = keepPagesFew(
    () => own + empty + ofThread,
    () => {
      given.push(empty / MIB);
      empty = 0;
    },
  );
  ofThread = 300 * MIB;
  look();
  look();
  ofThread = 0;
  look();
  empty = 200 * MIB;
  look();
  look();
  expect(given).toEqual([0, 200]);
});

test("what is above its bound gives back, a tenth of its time at most", () => {
  const given: number[] = [];
  let [held, now] = [0, 0];
  const look = keepBelow(
    100,
    () => held,
    () => {
      given.push(now);
      now += 10;
    },
    () => now,
  );
  for (const [at, bytes] of [
    [0, 99],
    [5, 100],
    [114, 100],
    [115, 99],
    [116, 100],
    [300, 200],
  ] as const) {
    [now, held] = [at, bytes];
    look();
  }
  expect(given).toEqual([5, 116, 300]);
});

test("V8 keeps no pages of what was collected", () => {
  let many: object[] | undefined = Array.from({ length: 500_000 }, (_, n) => ({ n, list: [n] }));
  const before = process.memoryUsage.rss();
  expect(many.length).toBe(500_000);
  many = undefined;
  giveBackPages();
  expect(before - process.memoryUsage.rss()).toBeGreaterThan(20 * MIB);
});
