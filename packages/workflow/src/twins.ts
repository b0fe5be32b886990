/** A history ended here: with the answer of a call, or with what a call was asked. */
export interface Ending {
  readonly sessionId: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Whether a later call already went on from here; stays true once it is. */
  continued: boolean;
}

/**
 * The endings at one and the same history: people who say and hear the same words. However many there are, adding
 * and choosing cost the same.
 */
export interface Twins {
  /** How many sessions they belong to. */
  readonly sessions: number;
  /** Remembers one more, as long as there are not too many. */
  add(ending: Ending): void;
  /** The session's first that was not continued, else its last. */
  of(sessionId: string): Ending | undefined;
  /** The first of all that was not continued, else the last. */
  next(): Ending;
}

/** How many conversations that stand at the very same words are told apart. */
const MAX_TWINS = 10_000;

export function createTwins(first: Ending): Twins {
  const all = [first];
  const bySession = new Map([[first.sessionId, [first]]]);
  /** All before it were continued. */
  let open = 0;
  let last = first;
  return {
    get sessions() {
      return bySession.size;
    },
    add(ending) {
      if (all.length >= MAX_TWINS) return;
      all.push(ending);
      last = ending;
      const own = bySession.get(ending.sessionId);
      if (own === undefined) bySession.set(ending.sessionId, [ending]);
      else own.push(ending);
    },
    of(sessionId) {
      const own = bySession.get(sessionId);
      return own?.find((ending) => !ending.continued) ?? own?.at(-1);
    },
    next() {
      while (all[open]?.continued) open++;
      return all[open] ?? last;
    },
  };
}
