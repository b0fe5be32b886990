import type { Edge, Session, Step } from "@thoughtflow/schema";
import { createStepIndex } from "@thoughtflow/schema/steps";

/** The steps that later ones revise, each with the id of the one that did it last. */
export function revisedSteps(session: Session): ReadonlyMap<Step, string> {
  const revised = new Map<Step, string>();
  for (const run of session.conversations) {
    for (const step of run.steps) {
      for (const { to, type } of step.edges ?? NO_EDGES) {
        if (type !== "revises") continue;
        const target = createStepIndex(session)(to, run)?.step;
        if (target !== undefined && target !== step) revised.set(target, step.step_id);
      }
    }
  }
  return revised;
}

const NO_EDGES: readonly Edge[] = [];
