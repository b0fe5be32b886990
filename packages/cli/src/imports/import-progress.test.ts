import { expect, test } from "vitest";
import { createImportProgress } from "./import-progress.ts";

test("every five seconds it says how far it is and how fast, and at the end how fast that was", () => {
  const said: string[] = [];
  let now = 1_000;
  const progress = createImportProgress(
    (line) => said.push(line),
    () => now,
  );
  progress.expect(200e6);
  progress.expect(50e6);
  for (let second = 1; second <= 10; second++) {
    now += 1_000;
    progress.read(25e6);
  }
  for (let part = 1; part <= 5; part++) {
    now += 2_000;
    progress.assembled(part, 5);
  }
  progress.done();
  expect(said).toEqual([
    "50 %: 125 MB of 250 MB, 25 MB a second",
    "100 %: 250 MB of 250 MB, 25 MB a second",
    "assembled 60 % of a long session",
    "250 MB in 20 s, 13 MB a second.",
  ]);
});

test("what is done soon says nothing", () => {
  const said: string[] = [];
  const progress = createImportProgress(
    (line) => said.push(line),
    () => 0,
  );
  progress.read(1e9);
  progress.done();
  expect(said).toEqual([]);
});

test("what several sessions come to is said with the size of their files, and how fast that was where it took long", () => {
  const said: string[] = [];
  let now = 0;
  const progressFrom = (begun: number) => {
    now = begun;
    return createImportProgress(
      (line) => said.push(line),
      () => now,
    );
  };
  const short = progressFrom(0);
  short.read(1.25e6);
  now = 100;
  short.done("2 sessions: 9 model calls");
  const long = progressFrom(0);
  now = 6_000;
  long.read(30e6);
  long.done("3 sessions: 9 model calls");
  progressFrom(0).done("4 sessions: 9 model calls");
  expect(said).toEqual([
    "2 sessions: 9 model calls; 1.3 MB.",
    "100 %: 30 MB of 30 MB, 5.0 MB a second",
    "3 sessions: 9 model calls; 30 MB in 6 s, 5.0 MB a second.",
    "4 sessions: 9 model calls.",
  ]);
});
