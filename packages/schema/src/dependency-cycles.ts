import { dependenciesOf } from "./dependencies-of.ts";
import type { Session, Step } from "./document.ts";
import type { PlacedStep, StepIndex } from "./step-index.ts";

interface Visit extends PlacedStep {
  readonly left: string[];
}

/**
 * The steps that close a cycle: what they rest on rests, over others, on them. One step for each way back that a
 * depth-first walk finds; steps that name themselves are not among them.
 */
export function stepsClosingCycles(session: Session, index: StepIndex): ReadonlySet<Step> {
  const closing = new Set<Step>();
  const done = new Set<Step>();
  const onPath = new Set<Step>();
  // Chains are longer than the call stack.
  const path: Visit[] = [];
  const enter = ({ run, step }: PlacedStep) => {
    onPath.add(step);
    path.push({ run, step, left: [...dependenciesOf(step)] });
  };
  const walkFrom = (start: PlacedStep) => {
    enter(start);
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const id = visit.left.pop();
      const target = id === undefined ? undefined : index(id, visit.run);
      if (id === undefined) {
        path.pop();
        onPath.delete(visit.step);
        done.add(visit.step);
      } else if (target !== undefined && onPath.has(target.step)) {
        if (target.step !== visit.step) closing.add(visit.step);
      } else if (target !== undefined && !done.has(target.step)) {
        enter(target);
      }
    }
  };
  for (const run of session.conversations) {
    for (const step of run.steps) if (!done.has(step)) walkFrom({ run, step });
  }
  return closing;
}
