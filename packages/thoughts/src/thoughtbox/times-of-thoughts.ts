import { isoNanoseconds } from "./iso-nanoseconds.ts";
import type { ThoughtboxEntry } from "./read-thoughtbox.ts";

/** When a session was, in nanoseconds since 1970. */
export interface Times {
  readonly start: bigint;
  readonly end: bigint;
  /** One a thought; what has none, or one before its predecessor's, happened with the predecessor. */
  readonly thoughts: readonly bigint[];
}

/** The times of thoughts in the order in which they were thought. */
export function timesOf(
  about: Readonly<Record<string, unknown>>,
  entries: readonly ThoughtboxEntry[],
): Times {
  const told = entries.map(({ thought }) => isoNanoseconds(thought["timestamp"]));
  const first = told.find((time) => time !== undefined);
  const start = isoNanoseconds(about["createdAt"]) ?? first ?? 0n;
  let last = start;
  const thoughts = told.map((time) => {
    if (time !== undefined && time > last) last = time;
    return last;
  });
  const completed = isoNanoseconds(about["completedAt"]) ?? last;
  return { start, end: completed > last ? completed : last, thoughts };
}
