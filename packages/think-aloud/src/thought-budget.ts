/** How often a model may think aloud in one turn, and how often it did. */
export interface ThoughtBudget {
  /** All that the turn has. */
  readonly thoughts: number;
  /** What is left of them, 0 when it is spent. */
  readonly left: number;
  /** Nothing is left: the tool can be left out of the next request. */
  readonly isSpent: boolean;
  /** Takes one thought; what the model should be told about it, if anything. */
  spend(thought: string): string | undefined;
}

/** What a turn may have where nobody says otherwise. */
const DEFAULT_THOUGHTS = 10;

/**
 * A budget for one turn: make a new one for each. Models have been seen to think aloud 20 times over a greeting. What is
 * thought beyond the budget is kept; the model is told to act.
 *
 * @throws RangeError when `thoughts` is no whole number from 1.
 */
export function createThoughtBudget(thoughts: number = DEFAULT_THOUGHTS): ThoughtBudget {
  if (!Number.isSafeInteger(thoughts) || thoughts < 1) {
    throw new RangeError(
      `createThoughtBudget: thoughts must be a whole number from 1, got ${thoughts}`,
    );
  }
  let spent = 0;
  let last: string | undefined;
  return {
    thoughts,
    get left() {
      return Math.max(0, thoughts - spent);
    },
    get isSpent() {
      return spent >= thoughts;
    },
    spend(thought) {
      const isRepeated = thought === last;
      last = thought;
      spent += 1;
      if (spent > thoughts) {
        return `You have thought aloud ${spent} times in this turn; it has ${thoughts}. Do not call think_aloud again: answer the user, or call another tool.`;
      }
      if (spent === thoughts) {
        return `This was the last of the ${thoughts} thoughts of this turn: act on it now, and do not call think_aloud again.`;
      }
      return isRepeated
        ? "You said exactly this just before: go on instead of repeating it."
        : undefined;
    },
  };
}
