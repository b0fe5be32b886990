import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { finishMessage, name, startMessage } from "./backward-writer.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

test("names that are remembered hold no more memory than their bytes", () => {
  collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  for (let number = 0; number < 1_000; number += 1) {
    startMessage();
    name(10, `name ${number}`);
    expect(Buffer.from(finishMessage()).toString("latin1")).toContain(`name ${number}`);
    // What others take of the pool meanwhile.
    for (let taken = 0; taken < Buffer.poolSize; taken += 1024) Buffer.allocUnsafe(1024);
  }
  collectGarbage();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * Buffer.poolSize);
});
