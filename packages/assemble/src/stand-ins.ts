import type { StepDraft } from "./step-draft.ts";

/** Of several steps of one call, one stands for the others, in whatever order they are found to be the same. */
export interface StandIns {
  of(step: StepDraft): StepDraft;
  /** @param decide gives the one of both that the other stands for from now on */
  join(
    inner: StepDraft,
    outer: StepDraft,
    decide: (inner: StepDraft, outer: StepDraft) => StepDraft,
  ): void;
}

export function createStandIns(): StandIns {
  const standIns = new Map<StepDraft, StepDraft>();
  const of: StandIns["of"] = (step) => {
    let last = step;
    for (let next = standIns.get(last); next !== undefined; next = standIns.get(last)) last = next;
    // The next time it is found at once: there may be thousands in between.
    for (let at = step; at !== last; ) {
      const next = standIns.get(at) ?? last;
      standIns.set(at, last);
      at = next;
    }
    return last;
  };
  return {
    of,
    join(inner, outer, decide) {
      const [one, other] = [of(inner), of(outer)];
      if (one === other) return;
      const left = decide(one, other);
      standIns.set(left, left === one ? other : one);
    },
  };
}
