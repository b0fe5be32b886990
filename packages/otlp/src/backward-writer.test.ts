import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { finishMessage, name, startMessage } from "./backward-writer.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

test("names that are remembered hold no more memory than their bytes", async () => {
  collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  for (let number = 0; number < 1_000; number += 1) {
    startMessage();
    name(10, `name ${number}`);
    expect(Buffer.from(finishMessage()).toString("latin1")).toContain(`name ${number}`);
    // What others take of the pool meanwhile.
    for (let taken = 0; taken < Buffer.poolSize; taken += 1024) Buffer.allocUnsafe(1024);
  }
  // What was collected is given back by a thread of V8's, which may be late.
  await expect.poll(heldSince(before), { timeout: 4_000 }).toBeLessThan(100 * Buffer.poolSize);
});

function heldSince(before: number): () => number {
  return () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers - before;
  };
}
