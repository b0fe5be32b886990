/** What formats without times have: they begin in 1970, in their order. */
const NO_TIMES = "1970-01-01T";

/** Whether an ISO 8601 moment is one that somebody told, and not only a place in an order. */
export function isKnownMoment(moment: string): boolean {
  return !moment.startsWith(NO_TIMES);
}

interface Lasting {
  readonly started_at?: string | undefined;
  readonly duration_ms?: number | undefined;
}

/** How many milliseconds a step or a run took, where somebody told it: of what has no times 0 is no measured time, and more is. */
export function knownDuration({ started_at: at, duration_ms: ms }: Lasting): number | undefined {
  return ms === 0 && at !== undefined && !isKnownMoment(at) ? undefined : ms;
}
