import { createRandom } from "@thoughtflow/testkit";
import { expect, test } from "vitest";
import { killAgents } from "./kill-agents.ts";

// A tenth: `npm run test:soak:faults` kills a thousand.
test("of 100 agents that are killed at random moments each loses at most the last 100 ms of its event loop", async () => {
  const { problems, steps, longestMs } = await killAgents(100, createRandom(7));
  expect(problems).toEqual([]);
  expect(steps).toBeGreaterThan(1_000);
  expect(longestMs).toBeLessThanOrEqual(100);
});
