/** A call, as the place where a history ended. */
export interface Ending {
  readonly sessionId: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Whether a later call already went on from here; stays true once it is. */
  continued: boolean;
}

/** How many conversations that stand at the very same words are told apart. */
const MAX_TWINS = 10_000;

/**
 * The endings at one and the same history: people who say and hear the same words. However many there are, adding
 * and choosing cost the same. Nearly always there is only one, so one costs next to nothing.
 */
export class Twins {
  readonly #all: Ending[];
  #bySession: Map<string, Ending[]> | undefined;
  /** All before it were continued. */
  #open = 0;

  constructor(first: Ending) {
    this.#all = [first];
  }

  /** How many sessions they belong to. */
  get sessions(): number {
    return this.#all.length === 1 ? 1 : this.#sessions().size;
  }

  /** Remembers one more, as long as there are not too many. */
  add(ending: Ending): void {
    if (this.#all.length >= MAX_TWINS) return;
    this.#all.push(ending);
    if (this.#bySession !== undefined) addTo(this.#bySession, ending);
  }

  /** The session's first that was not continued, else its last. */
  of(sessionId: string): Ending | undefined {
    const [only] = this.#all;
    if (this.#all.length === 1) return only?.sessionId === sessionId ? only : undefined;
    const own = this.#sessions().get(sessionId);
    return own?.find((ending) => !ending.continued) ?? own?.at(-1);
  }

  /** The first of all that was not continued, else the last. */
  next(): Ending | undefined {
    while (this.#all[this.#open]?.continued) this.#open++;
    return this.#all[this.#open] ?? this.#all.at(-1);
  }

  #sessions(): ReadonlyMap<string, readonly Ending[]> {
    if (this.#bySession === undefined) {
      this.#bySession = new Map();
      for (const ending of this.#all) addTo(this.#bySession, ending);
    }
    return this.#bySession;
  }
}

function addTo(bySession: Map<string, Ending[]>, ending: Ending): void {
  const own = bySession.get(ending.sessionId);
  if (own === undefined) bySession.set(ending.sessionId, [ending]);
  else own.push(ending);
}
