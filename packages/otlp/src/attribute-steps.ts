import { sameBytes } from "./forward-reader.ts";

/**
 * One attribute behind others: spans of one request mostly have the same attributes in the same order, and most of them the same
 * values, so that they are ways through a small tree. A step is found again by its bytes, which is faster than to read it.
 */
export interface AttributeStep<T> {
  readonly name: string;
  /** What was made of it when it came first. */
  readonly value: T;
  /** The attributes before it; `undefined` for the beginning, which is no attribute. */
  readonly before: AttributeStep<T> | undefined;
  /** How many attributes there are up to it. */
  readonly count: number;
  /** Where its bytes lay, its tag first; 0 of them for one that is too long to be looked at twice. */
  readonly start: number;
  readonly length: number;
  readonly next: AttributeStep<T>[];
}

/** Bytes. Longer ones are mostly content, which is another in each span. */
export const LONGEST_COMPARED = 128;
/** Requests are bytes of strangers: what is beyond these is read without a tree. */
const MOST_WAYS = 8;
const MOST_STEPS = 128;

/** Where the ways of all spans begin; good for the request that is being read. */
export function firstStep<T>(none: T): AttributeStep<T> {
  return { name: "", value: none, before: undefined, count: 0, start: 0, length: 0, next: [] };
}

/** The step whose bytes stand there again, before `end`. */
export function repeatedStep<T>(
  from: AttributeStep<T>,
  start: number,
  end: number,
): AttributeStep<T> | undefined {
  for (const step of from.next) {
    const { length } = step;
    if (length > 0 && start + length <= end && sameBytes(step.start, start, length)) return step;
  }
  return undefined;
}

/** The step to an attribute that was read from `start` to `end`; `undefined` where the tree is full, or has the name before. */
export function stepTo<T>(
  from: AttributeStep<T>,
  name: string,
  value: T,
  start: number,
  end: number,
): AttributeStep<T> | undefined {
  for (const step of from.next) if (step.name === name) return step;
  if (from.next.length === MOST_WAYS || from.count === MOST_STEPS || has(from, name))
    return undefined;
  const length = end - start <= LONGEST_COMPARED ? end - start : 0;
  const count = from.count + 1;
  const step: AttributeStep<T> = { name, value, before: from, count, start, length, next: [] };
  from.next.push(step);
  return step;
}

function has<T>(from: AttributeStep<T>, name: string): boolean {
  for (let step: AttributeStep<T> | undefined = from; step !== undefined; step = step.before)
    if (step.name === name && step.before !== undefined) return true;
  return false;
}
