/** Where a rollout goes on from: a thread, or a later file of one, up to one of its lines. */
export interface HistoryBase {
  /** The thread's id, or that of the file: newer versions begin another one whenever a thread is taken up again. */
  readonly rollout: string;
  /** The `ordinal` of the first line that does not belong to it. */
  readonly end: number;
}

/**
 * The answers of threads, `<trace id>/<step id>`. A fork begins with a copy of the lines up to one of them, or names the line that
 * it goes on from.
 */
export interface PassedAnswers {
  /** @param places Where its items stand in the history: by all items up to there. */
  add(rollout: string, ordinal: number | undefined, places: readonly string[], step: string): void;
  at(place: string): string | undefined;
  /** A thread has told the item that stands there, as its own or copied. */
  addTold(thread: string, place: string): void;
  /** Whether one of these threads has. */
  isTold(threads: readonly string[], place: string): boolean;
  /** The last answer of what a fork goes on from. */
  before(base: HistoryBase): string | undefined;
  /** What a rollout goes on from itself. */
  goesOn(rollout: string, base: HistoryBase): void;
  clear(): void;
}

interface Rollout {
  readonly answers: { readonly ordinal: number; readonly step: string }[];
  base?: HistoryBase;
}

export function createPassedAnswers(): PassedAnswers {
  const byPlace = new Map<string, string>();
  const told = new Map<string, Set<string>>();
  const rollouts = new Map<string, Rollout>();

  function rolloutOf(id: string): Rollout {
    const known = rollouts.get(id);
    if (known !== undefined) return known;
    const rollout: Rollout = { answers: [] };
    rollouts.set(id, rollout);
    return rollout;
  }

  return {
    add(rollout, ordinal, places, step) {
      for (const place of places) byPlace.set(place, step);
      if (ordinal !== undefined) rolloutOf(rollout).answers.push({ ordinal, step });
    },
    at: (place) => byPlace.get(place),
    addTold(thread, place) {
      const places = told.get(thread);
      if (places === undefined) told.set(thread, new Set([place]));
      else places.add(place);
    },
    isTold: (threads, place) => threads.some((thread) => told.get(thread)?.has(place)),
    before(base) {
      const seen = new Set<string>();
      let at: HistoryBase | undefined = base;
      while (at !== undefined && !seen.has(at.rollout)) {
        seen.add(at.rollout);
        const { end }: HistoryBase = at;
        const { answers, base: above }: Rollout = rolloutOf(at.rollout);
        const found = answers.findLast(({ ordinal }) => ordinal < end);
        if (found !== undefined) return found.step;
        at = above && { rollout: above.rollout, end: Math.min(end, above.end) };
      }
      return undefined;
    },
    goesOn(rollout, base) {
      rolloutOf(rollout).base = base;
    },
    clear() {
      byPlace.clear();
      told.clear();
      rollouts.clear();
    },
  };
}
