import type { LinkedAgents } from "./agent-graph.ts";
import type { PlacedAgent } from "./agent-order.ts";
import { alikeAgents } from "./alike-agents.ts";

type Agent = LinkedAgents["agents"][number];

/** Agents that share a place in a picture. */
export type AgentGroup = readonly Agent[];

/** Where nothing tells which of many belong together, so many of them are shown. */
const FIRST = 60;

/**
 * Ways to draw agents in fewer places, the gentlest first: those that are alike in one; all that stand below the same agent, of ever fewer
 * levels; those of one name that nobody asked for, with all below them; the first of these and the rest in one.
 *
 * @param placed As they stand in the picture, each behind the one that it is under.
 */
export function* foldingsOf(
  placed: readonly PlacedAgent[],
  edges: LinkedAgents["edges"],
): Generator<readonly AgentGroup[]> {
  const agents = placed.map(({ agent }) => agent);
  yield alikeAgents({ agents, edges });
  for (const levels of [3, 2, 1]) {
    const places = new Map<Agent, Agent>();
    for (const { agent, depth, under } of placed) {
      if (depth < levels || under === undefined) continue;
      places.set(agent, places.get(under) ?? under);
    }
    yield groupsBy(agents, (agent) => places.get(agent)?.id ?? agent);
  }
  const roots = new Map<Agent, Agent>();
  for (const { agent, under } of placed)
    roots.set(agent, under === undefined ? agent : (roots.get(under) ?? under));
  const byName = groupsBy(agents, (agent) => {
    const root = roots.get(agent) ?? agent;
    return root.name || root;
  });
  yield byName;
  yield [...byName.slice(0, FIRST), byName.slice(FIRST).flat()];
}

/** The gentlest folding of at most so many groups, and at least 61. */
export function foldedAgents(
  placed: readonly PlacedAgent[],
  edges: LinkedAgents["edges"],
  most: number,
): readonly AgentGroup[] {
  let folded: readonly AgentGroup[] = [];
  for (const groups of foldingsOf(placed, edges)) {
    folded = groups;
    if (groups.length <= most) break;
  }
  return folded;
}

function groupsBy(
  agents: readonly Agent[],
  keyOf: (agent: Agent) => unknown,
): readonly AgentGroup[] {
  const groups = new Map<unknown, Agent[]>();
  for (const agent of agents) {
    const group = groups.get(keyOf(agent));
    if (group === undefined) groups.set(keyOf(agent), [agent]);
    else group.push(agent);
  }
  return [...groups.values()];
}
