/** Gives ids of which each is given once. */
export interface FreeIds {
  /**
   * `id`, else the first of `id~abcd`, `id~abcde` … with the digits of the span's id, `id~<span id>~2`, `~3` … that was not
   * given yet.
   */
  take(id: string, spanId: string): string;
}

const LEAST_DIGITS = 4;

/** @param given ids that are not free */
export function createFreeIds(given: Iterable<string> = []): FreeIds {
  const used = new Set(given);
  /** How far was counted behind an id with all digits: what is given stays given. */
  const counted = new Map<string, number>();

  function freeOf(id: string, spanId: string): string {
    if (!used.has(id)) return id;
    for (let digits = LEAST_DIGITS; digits <= spanId.length; digits++) {
      const other = `${id}~${spanId.slice(0, digits)}`;
      if (!used.has(other)) return other;
    }
    const whole = `${id}~${spanId}`;
    for (let n = counted.get(whole) ?? 2; ; n++) {
      if (used.has(`${whole}~${n}`)) continue;
      counted.set(whole, n);
      return `${whole}~${n}`;
    }
  }

  return {
    take(id, spanId) {
      const free = freeOf(id, spanId);
      used.add(free);
      return free;
    },
  };
}
