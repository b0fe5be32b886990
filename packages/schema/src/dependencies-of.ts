import type { Step } from "./document.ts";

/** The ids that a step rests on, in their order, each once: `depends_on` as a list. */
export function dependenciesOf(step: Step): readonly string[] {
  const { depends_on: ids } = step;
  if (ids === undefined) return [];
  return typeof ids === "string" ? [ids] : [...new Set(ids)];
}
