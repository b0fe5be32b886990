import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects all garbage and gives back the pages that V8 keeps for later, which no other collection does. It takes some 50 ms. */
export function giveBackPages(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("globalThis.gc");
  if (typeof collect === "function") collect({ type: "major", flavor: "last-resort" });
}

/** So much may be kept: a busy server needs it again. */
const SPARE_BYTES = 64 * 2 ** 20;

/**
 * Looks from time to time whether a process keeps pages in which nothing is, and has it give them back: after a crowd of requests V8 would
 * keep those that they took for ever.
 *
 * @param kept bytes that the process has and nothing is in
 * @returns what to call for a look
 */
export function keepPagesFew(
  kept: () => number = keptBytes,
  giveBack: () => void = giveBackPages,
): () => void {
  /** What can't be given back. The heap of a thread is part of it as long as that works. */
  let least = kept();
  return () => {
    const now = kept();
    least = Math.min(least, now);
    if (now < least + SPARE_BYTES) return;
    giveBack();
    least = kept();
  };
}

function keptBytes(): number {
  const { rss, heapTotal, external } = process.memoryUsage();
  return rss - heapTotal - external;
}
