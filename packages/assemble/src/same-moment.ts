/** When a model call was under way, in nanoseconds since 1970, and of which model it was asked. */
export interface CallMoment {
  readonly start: number;
  readonly end: number;
  readonly model: string | undefined;
}

/** A wrapper takes some 14 ms of its own (Mistral's SDK); a clock may go by the second. */
const MOST_OVERHEAD = 1e9;

/**
 * Whether two instrumentations may have watched one call, by the time alone. Clocks are coarse and one looks later than the other: most of
 * the longer one's time is both's. Or one stands in the other and leaves out no more than a wrapper does, which counts where answers
 * are fast.
 */
export function isSameMoment(one: CallMoment, other: CallMoment): boolean {
  const both = Math.min(one.end, other.end) - Math.max(one.start, other.start);
  const lengths = [one.end - one.start, other.end - other.start];
  const [short, long] = [Math.min(...lengths), Math.max(...lengths)];
  if (both < 0) return false;
  if (2 * both >= long) return true;
  const isInside = both === short && long - short <= MOST_OVERHEAD;
  return isInside && one.model !== undefined && one.model === other.model;
}

/** Tokens that two accounts of one call agree on; `undefined` where they tell none: a call has some of both. */
export function tokensKey(input: unknown, output: unknown): string | undefined {
  return isCount(input) && isCount(output) ? `${input} ${output}` : undefined;
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && value > 0;
}
