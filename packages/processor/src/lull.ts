// Not the globals, which a test of the application may have replaced.
import { setTimeout } from "node:timers/promises";

/** Tells when there is time for what can wait. */
export interface Lull {
  /** Something came that can't. */
  busy(): void;
  /** Resolves when nothing has come for a moment, or things have been coming for long, or nothing is to wait any more. */
  come(): Promise<void>;
  /** Lets everything go on that waits now. */
  end(): void;
}

const LULL_MS = 200;
/** What waits must not wait for ever. */
const MOST_MS = 10_000;

/** @param now milliseconds, monotonic */
export function createLull(now: () => number): Lull {
  let busyFrom = Number.NEGATIVE_INFINITY;
  let busyAt = Number.NEGATIVE_INFINITY;

  function waitMs(): number {
    return Math.min(busyAt + LULL_MS, busyFrom + MOST_MS) - now();
  }

  return {
    busy() {
      const at = now();
      if (at - busyAt >= LULL_MS) busyFrom = at;
      busyAt = at;
    },
    async come() {
      for (let wait = waitMs(); wait > 0; wait = waitMs())
        await setTimeout(Math.min(wait, LULL_MS), undefined, { ref: false });
    },
    end() {
      busyAt = Number.NEGATIVE_INFINITY;
    },
  };
}
