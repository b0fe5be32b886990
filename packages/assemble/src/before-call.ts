import type { Moment } from "./span-node.ts";

/** The moment of what a call was given: before the call itself, in the order of its input. */
export function beforeCall(moment: Moment, position: number): Moment {
  return { ...moment, rank: position - 1_000_000 };
}
