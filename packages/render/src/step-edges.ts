import type { Edge, Step } from "@thoughtflow/schema";
import { dependenciesOf } from "@thoughtflow/schema/steps";

/** The edges of a step: its own, and one for each id of `depends_on` that none names, as the program's own word. */
export function edgesOf(step: Step): readonly Edge[] {
  const { edges = [], depends_on: only } = step;
  // Nearly all: nothing is made for them.
  if (only === undefined || (typeof only === "string" && edges[0]?.to === only)) return edges;
  const named = new Set(edges.map((edge) => edge.to));
  const rest = dependenciesOf(step).filter((id) => !named.has(id));
  if (rest.length === 0) return edges;
  return [...edges, ...rest.map((to): Edge => ({ to, type: "depends_on", origin: "declared" }))];
}
