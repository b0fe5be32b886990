import type { Thought } from "./thought.ts";

/** What numbering needs to know of a recorded thought. */
export type NumberedThought = Pick<Thought, "thoughtNumber" | "branchId">;

/** A branch, and the number of the thought at which it began if the caller knows it. */
export interface ThoughtBranch {
  readonly branchId: string;
  readonly branchFromThought?: number;
}

/**
 * The number of a session's next thought: in a branch one more than the greatest of the branch and its origin, on
 * the main track one more than the greatest of the session. So 1 2, a branch 3 4, another 3 4, then 5.
 */
export function nextThoughtNumber(
  recorded: Iterable<NumberedThought>,
  branch?: ThoughtBranch,
): number {
  let greatest = wholeNumber(branch?.branchFromThought);
  for (const thought of recorded) {
    if (branch !== undefined && thought.branchId !== branch.branchId) continue;
    greatest = Math.max(greatest, wholeNumber(thought.thoughtNumber));
  }
  return greatest + 1;
}

/** Models number as they like: what is no count does not count. */
function wholeNumber(value: number | undefined): number {
  return value !== undefined && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
