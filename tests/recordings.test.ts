import { listRecordings, loadExchanges } from "@thoughtflow/testkit";
import { expect, test } from "vitest";
import { problemsOf } from "./recordings/problems-of.ts";
import { replayRecordings } from "./recordings/replay-recordings.ts";

test("an app gets what it gets without us, and every exchange leaves one step that says what it was", async () => {
  const recordings = listRecordings().map((name) => ({ name, exchanges: loadExchanges(name) }));
  const replay = await replayRecordings(recordings);
  expect(problemsOf(replay)).toEqual([]);
  expect(replay.calls.length).toBeGreaterThan(80);
}, 60_000);
