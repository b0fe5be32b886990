import type { Edge, Step } from "@thoughtflow/schema";
import { dependenciesOf } from "@thoughtflow/schema/steps";

/** What a step rests on, as edges: those of its own that `depends_on` names, and the program's word for the rest. */
export function dependencyEdges(step: Step): readonly Edge[] {
  const ids = new Set(dependenciesOf(step));
  const edges = (step.edges ?? []).filter(({ to }) => ids.has(to));
  for (const { to } of edges) ids.delete(to);
  return [
    ...edges,
    ...[...ids].map((to): Edge => ({ to, type: "depends_on", origin: "declared" })),
  ];
}
