import type { Run, Step } from "@thoughtflow/schema";
import { inGivenOrder } from "./given-order.ts";
import { edgesOf } from "./step-edges.ts";
import { kindOf } from "./step-kind.ts";
import { stepText } from "./step-summary.ts";

/** How prominent a step is in a reading: something said, something done, or what stood in the background. */
export type Prominence = "said" | "done" | "background";

/** A step of a thread, and its text in full where it is shown here. */
export interface ThreadEntry {
  readonly step: Step;
  readonly prominence: Prominence;
  readonly text: string | undefined;
}

/**
 * The steps of a run as one would read them: messages and thoughts with their text, calls and outputs, context.
 * The text of a model call is left to the answer that rests on it, so that nothing is read twice. Steps of other
 * libraries are left out.
 */
export function threadOf(run: Run): readonly ThreadEntry[] {
  const answered = new Set(
    run.steps
      .filter((step) => step.label === "assistant_message")
      .flatMap((step) => edgesOf(step).map((edge) => edge.to)),
  );
  return inGivenOrder(run.steps)
    .filter((step) => step.label !== "generic")
    .map((step) => {
      const text = answered.has(step.step_id) ? undefined : stepText(step);
      return { step, prominence: prominenceOf(step), text };
    });
}

function prominenceOf(step: Step): Prominence {
  const kind = kindOf(step);
  if (kind === "context") return "background";
  return kind === "user" || kind === "answer" || kind === "thought" ? "said" : "done";
}
