import type { Session } from "@thoughtflow/schema";
import type { FlowGraph } from "./flow-graph.ts";
import type { RenderOptions } from "./renderer.ts";

/** Whether a picture of a session shows its agents: there are several, and too many steps to draw each. */
export function showsAgents(
  session: Session,
  graph: FlowGraph,
  { run, areRunsFolded = false }: RenderOptions,
): boolean {
  return run === undefined && !areRunsFolded && isFolded(graph) && hasAgents(session);
}

function isFolded({ lanes }: FlowGraph): boolean {
  return lanes.some(({ folded, boxes }) => folded || boxes.some(({ step }) => step === undefined));
}

const MOST_LANES = 100;

/** Several that have room for a lane each, where those of one name share one, or some that others asked for. */
function hasAgents({ agents = [] }: Session): boolean {
  const isAsked = agents.some(({ parent_agent_id }) => parent_agent_id !== undefined);
  const names = new Set(agents.map(({ agent_id, name = agent_id }) => name));
  return isAsked || (agents.length > 1 && names.size <= MOST_LANES);
}
