import type { RolloutLine } from "./records.ts";
import type { Thread } from "./threads.ts";

/** What a line of a thread is known by. */
export type LineKey = (line: Pick<RolloutLine, "number" | "ms">) => string;

/**
 * The numbers of lines. Of several files of one thread, as when somebody went on with it in two places, the first one's; where
 * another file says something else in a line of that number, its time tells the two apart. What both tell has one key.
 */
export function createLineKeys(threads: readonly Thread[]): (thread: Thread) => LineKey {
  const ids = new Set<string>();
  const twice = new Set(threads.map(({ id }) => id).filter((id) => ids.has(id) || !ids.add(id)));
  /** When the line of a number was written, by threads. */
  const times = new Map([...twice].map((id) => [id, new Map<number, number>()]));
  return ({ id }) => {
    const known = times.get(id);
    return ({ number, ms = 0 }) => {
      const first = known?.get(number) ?? ms;
      known?.set(number, first);
      return first === ms ? `line-${number}` : `line-${number}-${ms}`;
    };
  };
}
