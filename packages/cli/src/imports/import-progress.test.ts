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
