import type { Session, Step } from "@thoughtflow/schema";
import { createStepIndex } from "@thoughtflow/schema/steps";
import { edgesOf } from "./step-edges.ts";

/** The steps that later ones revise, each with the id of the one that did it last. */
export function revisedSteps(session: Session): ReadonlyMap<Step, string> {
  const revised = new Map<Step, string>();
  const find = createStepIndex(session);
  for (const run of session.conversations) {
    for (const step of run.steps) {
      for (const { to, type } of edgesOf(step)) {
        if (type !== "revises") continue;
        const target = find(to, run)?.step;
        if (target !== undefined && target !== step) revised.set(target, step.step_id);
      }
    }
  }
  return revised;
}
