import type { Edge, Step } from "@thoughtflow/schema";
import { dependenciesOf } from "@thoughtflow/schema/steps";

/** The edges of a step: its own, and one for each id of `depends_on` that none names, as the program's own word. */
export function edgesOf(step: Step): readonly Edge[] {
  const { edges = [], depends_on: only } = step;
  // Nearly all name them in the same order: nothing is made for them.
  if (only === undefined || areNamed(only, edges)) return edges;
  const named = new Set(edges.map((edge) => edge.to));
  const rest = dependenciesOf(step).filter((id) => !named.has(id));
  if (rest.length === 0) return edges;
  return [...edges, ...rest.map((to): Edge => ({ to, type: "depends_on", origin: "declared" }))];
}

function areNamed(ids: string | readonly string[], edges: readonly Edge[]): boolean {
  if (typeof ids === "string") return edges[0]?.to === ids;
  let named = 0;
  for (const { to } of edges) if (to === ids[named]) named++;
  return named === ids.length;
}
