import type { Step } from "@thoughtflow/schema";

/** The steps of a run that tell what calls of a model took, each call once: not what another instrumentation said of it, too. */
export function countedSteps(steps: readonly Step[]): readonly Step[] {
  const outer = new Set(steps.map((step) => step.outer_span_id).filter((id) => id !== undefined));
  return steps.filter(
    ({ label, cost, origin, span_id: id }) =>
      (label === "assistant_call" || cost !== undefined) &&
      !(origin === "recorded" && id !== undefined && outer.has(id)),
  );
}

/**
 * Whether it is what a document's totals count as a call of a model: embeddings have tokens and a cost beside those, and so has what a
 * program counted of calls that tell nothing.
 */
export function isModelCall({ label }: Step): boolean {
  return label === "assistant_call";
}
