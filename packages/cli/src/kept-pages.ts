import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects all garbage and gives back the pages that V8 keeps for later, which no other collection does. It takes some 50 ms. */
export function giveBackPages(): void {
  collect("last-resort");
}

/** Collects all garbage; its pages stay. */
export function collectGarbage(): void {
  collect("regular");
}

function collect(flavor: string): void {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("globalThis.gc");
  if (typeof gc === "function") gc({ type: "major", flavor });
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

/** Giving back takes at most this share of the time. */
const GIVING_SHARE = 0.1;

/**
 * Looks whether a process holds more than it should, and has it give back what it can: V8 knows of no such bound.
 *
 * @param bytes what it may hold
 * @param held bytes that it holds
 * @param now monotonic milliseconds
 * @returns what to call for a look
 */
export function keepBelow(
  bytes: number,
  held: () => number = process.memoryUsage.rss,
  giveBack: () => void = giveBackPages,
  now: () => number = () => performance.now(),
): () => void {
  let notBefore = 0;
  return () => {
    if (held() < bytes) return;
    const begun = now();
    if (begun < notBefore) return;
    giveBack();
    const ended = now();
    notBefore = ended + (ended - begun) / GIVING_SHARE;
  };
}

function keptBytes(): number {
  const { rss, heapTotal, external } = process.memoryUsage();
  return rss - heapTotal - external;
}
