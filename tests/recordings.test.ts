import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listRecordings, loadExchanges } from "@thoughtflow/testkit";
import { expect, test } from "vitest";
import { contentKept } from "./recordings/content-kept.ts";
import { problemsOf } from "./recordings/problems-of.ts";
import { replayRecordings } from "./recordings/replay-recordings.ts";
import { sharesIn, trafficOf } from "./recordings/traffic.ts";

test("an app gets what it gets without us, and every exchange leaves one step that says what it was", async () => {
  const recordings = listRecordings().map((name) => ({ name, exchanges: loadExchanges(name) }));
  const replay = await replayRecordings(recordings);
  expect(problemsOf(replay)).toEqual([]);
  expect(replay.calls.length).toBeGreaterThan(80);

  // However often a loop sends its history, what was said is kept once.
  const { loops, distinct, inJournal, worst } = contentKept(replay);
  expect(loops).toBeGreaterThan(10);
  expect(worst).toBeLessThan(1.05);
  expect(inJournal / distinct).toBeLessThan(1.05);

  // What the page says of each recording's files is what they are.
  const told = sharesIn(readFileSync(join(import.meta.dirname, "../docs/reliability.md"), "utf8"));
  const shares = trafficOf(recordings, replay).map(
    ({ name, raw, documents }) => [name, documents / raw] as const,
  );
  expect([...told.keys()].toSorted()).toEqual(["all", ...shares.map(([name]) => name)].toSorted());
  expect(
    shares.filter(([name, share]) => Math.abs(share / (told.get(name) ?? 0) - 1) > 0.1),
  ).toEqual([]);
});
