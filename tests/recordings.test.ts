import { listRecordings, loadExchanges } from "@thoughtflow/testkit";
import { expect, test } from "vitest";
import { contentKept } from "./recordings/content-kept.ts";
import { problemsOf } from "./recordings/problems-of.ts";
import { replayRecordings } from "./recordings/replay-recordings.ts";
import { trafficOf } from "./recordings/traffic.ts";

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

  // The files say more than the wire, times, edges and costs, and yet a long loop is no larger in its file.
  const traffic = trafficOf(recordings, replay);
  const long = traffic.filter(({ requests }) => requests >= 5);
  expect(long.length).toBeGreaterThan(0);
  expect(long.filter(({ raw, documents }) => documents > raw)).toEqual([]);
});
