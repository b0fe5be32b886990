/** So many requests may end, and be logged, while one is under way that began before them. */
const HELD = 64;
/** Characters of their lines: bodies are large. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** Something that a log tells of when it was over. */
export interface Logged {
  /** When it began, milliseconds; 0 where nobody says it: then it keeps its place in the log. */
  readonly startMs: number;
  /** Of its line. */
  readonly characters: number;
}

/** Gives what a log tells in the order in which it began. */
export interface StartOrder<T extends Logged> {
  /** One more, in the order of the log: gives those that come first now. */
  add(one: T): readonly T[];
  /** The rest. */
  rest(): readonly T[];
}

/**
 * A request is logged when its answer is there, and so an agent that was asked for in an answer which was still on its way
 * stands before the request that asked for it: some are held back until those that began earlier are there, too.
 */
export function createStartOrder<T extends Logged>(): StartOrder<T> {
  const held: T[] = [];
  let characters = 0;
  /** What has no time comes after what stands before it. */
  let last = 0;
  const starts = new Map<T, number>();

  function take(): T | undefined {
    const first = held.shift();
    if (first === undefined) return undefined;
    starts.delete(first);
    characters -= first.characters;
    return first;
  }

  return {
    add(one) {
      last = one.startMs || last;
      const start = last;
      const after = held.findLastIndex((other) => (starts.get(other) ?? 0) <= start);
      held.splice(after + 1, 0, one);
      starts.set(one, start);
      characters += one.characters;
      const due: T[] = [];
      while (held.length > HELD || (characters > MOST_CHARACTERS && held.length > 1)) {
        const first = take();
        if (first !== undefined) due.push(first);
      }
      return due;
    },
    rest() {
      const due = held.splice(0);
      starts.clear();
      characters = 0;
      return due;
    },
  };
}
