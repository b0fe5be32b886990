import type { Step } from "@thoughtflow/schema";

/** A step and what stands before its line: one flag a level, true where a later sibling follows. */
export interface NestedStep {
  readonly step: Step;
  readonly branches: readonly boolean[];
}

/**
 * The steps of a run in reading order, children (`parent_step_id`) after their parent. Steps whose parent is not
 * in the run, or that are their own ancestors, stand at the top. Each step comes exactly once; no recursion, so
 * a chain of any depth is fine.
 */
export function nestSteps(steps: readonly Step[]): readonly NestedStep[] {
  const known = new Map<string, Step>();
  for (const step of steps) if (!known.has(step.step_id)) known.set(step.step_id, step);
  const children = new Map<Step | undefined, Step[]>();
  for (const step of steps) {
    const parent = known.get(step.parent_step_id ?? "");
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [step]);
    else siblings.push(step);
  }
  const nested: NestedStep[] = [];
  const pending: NestedStep[] = [];
  const placed = new Set<Step>();
  const push = (parent: Step | undefined, branches: readonly boolean[]): void => {
    const found = children.get(parent) ?? [];
    for (let at = found.length - 1; at >= 0; at -= 1) {
      const step = found[at];
      if (step !== undefined)
        pending.push({ step, branches: [...branches, at < found.length - 1] });
    }
  };
  const drain = (): void => {
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (placed.has(next.step)) continue;
      placed.add(next.step);
      nested.push(next);
      push(next.step, next.branches.length < deepest ? next.branches : next.branches.slice(0, -1));
    }
  };
  push(undefined, []);
  drain();
  for (const step of steps) {
    if (placed.has(step)) continue;
    pending.push({ step, branches: [false] });
    drain();
  }
  return nested;
}

/** Deeper steps are indented no further. */
const deepest = 12;
