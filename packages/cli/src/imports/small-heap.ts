import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Has V8 collect garbage sooner, for work that goes through more than fits into memory: it would rather take a few
 * hundred megabytes than the time. A flag that this V8 does not know changes nothing.
 */
export function keepHeapSmall(): void {
  // The young generation stays as large as it is by now, some 4 MB instead of 16 and more.
  setFlagsFromString("--semi-space-growth-factor=1");
  // The old one grows by half of what is alive instead of up to four times that. By a quarter it would be collected twice as often.
  setFlagsFromString("--heap-growing-percent=50");
}

/**
 * Collects all garbage and gives back the pages that V8 keeps for later. For a long session while its files are made, which takes
 * other pages than reading it did.
 */
export function giveBackPages(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("globalThis.gc");
  if (typeof collect === "function") collect({ type: "major", flavor: "last-resort" });
}
