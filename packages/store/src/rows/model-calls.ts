import type { Step } from "@thoughtflow/schema";

/** The steps of a run that are calls of a model, each call once: not what another instrumentation said of it, too. */
export function modelCalls(steps: readonly Step[]): readonly Step[] {
  const outer = new Set(steps.map((step) => step.outer_span_id).filter((id) => id !== undefined));
  return steps.filter(
    ({ label, cost, origin, span_id: id }) =>
      (label === "assistant_call" || cost !== undefined) &&
      !(origin === "recorded" && id !== undefined && outer.has(id)),
  );
}
