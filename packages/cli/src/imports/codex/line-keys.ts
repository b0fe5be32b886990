import type { RolloutLine } from "./records.ts";
import type { Thread } from "./threads.ts";

/** What a line of a thread is known by. */
export type LineKey = (line: Pick<RolloutLine, "number" | "ms">) => string;

/** Those of one file of a thread, all with the same beginning. */
export type LineKeys = (thread: Pick<Thread, "id">, beginning: string) => LineKey;

/**
 * The numbers of lines. Of several files of one thread, as when somebody went on with it in two places, the first one's; where
 * another file says something else in a line of that number, its time tells the two apart. What both tell has one key.
 */
export function createLineKeys(threads: readonly Thread[]): LineKeys {
  const ids = new Set<string>();
  const twice = new Set(threads.map(({ id }) => id).filter((id) => ids.has(id) || !ids.add(id)));
  /** When the line of a number was written, by threads. */
  const times = new Map([...twice].map((id) => [id, new Map<number, number>()]));
  return ({ id }, beginning) => {
    const known = times.get(id);
    return ({ number, ms = 0 }) => {
      const first = known?.get(number) ?? ms;
      known?.set(number, first);
      return `${beginning}line-${number}${first === ms ? "" : `-${ms}`}`;
    };
  };
}
