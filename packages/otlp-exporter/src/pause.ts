const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;
/** What a receiver may ask for, whatever it says. */
const LEAST_ASKED = 100;
const MOST_ASKED = 300_000;
const JITTER = 0.2;

/**
 * Milliseconds to wait after a failure: what `Retry-After` says, in seconds or as a date, between 0.1 s and 5 min;
 * else 1 s, doubled with each failure before, up to 60 s, and 20 % more or less.
 *
 * @param failures failures in a row before this one
 * @param random between 0 and 1
 */
export function pauseAfter(
  failures: number,
  retryAfter: string | undefined,
  now: number,
  random: number,
): number {
  const asked = askedPause(retryAfter?.trim() ?? "", now);
  if (asked !== undefined) return Math.min(Math.max(asked, LEAST_ASKED), MOST_ASKED);
  const pause = Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE);
  return Math.round(pause * (1 - JITTER + 2 * JITTER * random));
}

function askedPause(retryAfter: string, now: number): number | undefined {
  if (/^-?\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  // `Date.parse` takes many a text for a date: one of HTTP ends with GMT.
  const date = retryAfter.endsWith("GMT") ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(date) ? undefined : date - now;
}
