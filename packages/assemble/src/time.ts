const NS_PER_MS = 1_000_000n;
/** The last instant that a JS date can hold, in milliseconds. */
const MAX_MS = 8_640_000_000_000_000n;

/** ISO 8601, UTC, milliseconds; `undefined` outside of what a date can hold. */
export function isoFromNanoseconds(time: bigint | undefined): string | undefined {
  if (time === undefined || time < 0n) return undefined;
  const ms = time / NS_PER_MS;
  return ms > MAX_MS ? undefined : isoFromMilliseconds(Number(ms));
}

/** One step mostly begins where another ends: the same text for both. */
const latestTimes = new Map<number, string>();
const MOST_TIMES = 64;

function isoFromMilliseconds(ms: number): string {
  const known = latestTimes.get(ms);
  if (known !== undefined) return known;
  if (latestTimes.size >= MOST_TIMES) latestTimes.clear();
  const text = new Date(ms).toISOString();
  latestTimes.set(ms, text);
  return text;
}

/** Whole milliseconds, rounded half up; `undefined` when unknown or when the clock ran backwards. Exact below 104 days. */
export function millisecondsBetween(
  start: bigint | undefined,
  end: bigint | undefined,
): number | undefined {
  if (start === undefined || end === undefined || end < start) return undefined;
  return Math.round(Number(end - start) / 1e6);
}

/** The latest of times that may be unknown; `undefined` when all are. */
export function latest(times: Iterable<bigint | undefined>): bigint | undefined {
  let last: bigint | undefined;
  for (const time of times)
    if (time !== undefined && (last === undefined || time > last)) last = time;
  return last;
}

/** The earliest of times that may be unknown; `undefined` when all are. */
export function earliest(times: Iterable<bigint | undefined>): bigint | undefined {
  let first: bigint | undefined;
  for (const time of times)
    if (time !== undefined && (first === undefined || time < first)) first = time;
  return first;
}
