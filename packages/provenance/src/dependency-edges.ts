import type { Edge, Step } from "@thoughtflow/schema";
import { dependenciesOf } from "@thoughtflow/schema/steps";

/** What a step rests on, as edges: those of its own that `depends_on` names, and the program's word for the rest. */
function dependencyEdges(step: Step): readonly Edge[] {
  const ids = new Set(dependenciesOf(step));
  const edges = (step.edges ?? []).filter(({ to }) => ids.has(to));
  for (const { to } of edges) ids.delete(to);
  return [
    ...edges,
    ...[...ids].map((to): Edge => ({ to, type: "depends_on", origin: "declared" })),
  ];
}

/** What a step came from: what it rests on, and of a thought the one before it on its track. */
export function causalEdges(step: Step): readonly Edge[] {
  const before = (step.edges ?? []).filter(({ type }) => type === "follows");
  return step.label === "thought" ? [...dependencyEdges(step), ...before] : dependencyEdges(step);
}
