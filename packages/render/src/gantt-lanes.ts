import type { AgentGraph } from "./agent-graph.ts";
import { agentLabels } from "./agent-labels.ts";
import { alikeAgents, groupLabel } from "./alike-agents.ts";
import type { TimeSpan } from "./step-times.ts";

type Agent = AgentGraph["agents"][number];

/** A row of a chart: an agent, or several alike that were never at work at the same time. */
export interface Lane {
  readonly agents: readonly Agent[];
  /** Empty for what goes on from the lane above. */
  readonly label: string;
  /** What the label may have no room for. */
  readonly title: string;
  /** How many agents stand above it that asked for one another. */
  readonly depth: number;
}

/**
 * Each agent below the one that asked for it, and one that goes on from another beside that. Of many agents those of one name that one
 * agent asked for, and that asked for none, share lanes, as many as were at work at the same time.
 */
export function lanesOf(
  { agents, edges }: AgentGraph,
  spanFor: (request: Agent["requests"][number]) => TimeSpan | undefined,
): readonly Lane[] {
  const ordered = inOrder(agents, continuationsOf({ agents, edges }));
  const labels = agentLabels(agents);
  const alone = ({ agent, depth }: Placed): Lane => ({
    agents: [agent],
    label: labels.get(agent) ?? "",
    title: agent.label,
    depth,
  });
  const depths = new Map(ordered.map(({ agent, depth }) => [agent, depth]));
  const groups = alikeAgents({ agents: ordered.map(({ agent }) => agent), edges });
  return groups.flatMap((group) => {
    const [agent] = group;
    if (agent === undefined) return [];
    const depth = depths.get(agent) ?? 0;
    return group.length === 1 ? [alone({ agent, depth })] : shared(group, depth, spanFor);
  });
}

interface Placed {
  readonly agent: Agent;
  readonly depth: number;
}

/** By an agent's id those that go on from it. */
type Continuations = ReadonlyMap<string, readonly Agent[]>;

function continuationsOf({ agents, edges }: AgentGraph): Continuations {
  const ofRequests = new Map(
    agents.flatMap((agent) => agent.requests.map(({ id }) => [id, agent] as const)),
  );
  const continuations = new Map<string, Agent[]>();
  const placed = new Set<Agent>();
  for (const { type, source, target } of edges) {
    const [from, to] = [ofRequests.get(source), ofRequests.get(target)];
    if (type !== "continues" || from === undefined || to === undefined) continue;
    if (from === to || to.parent !== null || placed.has(to)) continue;
    placed.add(to);
    continuations.set(from.id, [...(continuations.get(from.id) ?? []), to]);
  }
  return continuations;
}

function inOrder(agents: readonly Agent[], continuations: Continuations): readonly Placed[] {
  const ids = new Set(agents.map(({ id }) => id));
  const continuing = new Set([...continuations.values()].flat());
  const below = new Map<string | null, Agent[]>();
  for (const agent of agents) {
    if (continuing.has(agent)) continue;
    const parent = agent.parent !== null && ids.has(agent.parent) ? agent.parent : null;
    const children = below.get(parent);
    if (children === undefined) below.set(parent, [agent]);
    else children.push(agent);
  }
  const ordered: Placed[] = [];
  const placed = new Set<Agent>();
  const waiting: Placed[] = [];
  const push = (given: readonly Agent[], depth: number): void => {
    for (const agent of given.toReversed()) waiting.push({ agent, depth });
  };
  const drain = (): void => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { agent, depth } = next;
      if (placed.has(agent)) continue;
      placed.add(agent);
      ordered.push(next);
      push(continuations.get(agent.id) ?? [], depth);
      push(below.get(agent.id) ?? [], depth + 1);
    }
  };
  push(below.get(null) ?? [], 0);
  drain();
  // Parents in a circle have no root above them.
  for (const agent of agents) {
    if (placed.has(agent)) continue;
    ordered.push({ agent, depth: 0 });
    placed.add(agent);
  }
  return ordered;
}

/** As many lanes as it takes for none to stand over another. */
function shared(
  group: readonly Agent[],
  depth: number,
  spanFor: (request: Agent["requests"][number]) => TimeSpan | undefined,
): readonly Lane[] {
  const timed = group.map((agent) => {
    const spans = agent.requests.flatMap((request) => spanFor(request) ?? []);
    const start = spans.reduce((least, span) => Math.min(least, span.start), Infinity);
    const end = spans.reduce((most, span) => Math.max(most, span.end), -Infinity);
    return { agent, start, end };
  });
  const rows: { readonly agents: Agent[]; end: number }[] = [];
  for (const { agent, start, end } of timed.sort((one, other) => one.start - other.start)) {
    const row = rows.find((one) => one.end <= start);
    if (row === undefined) rows.push({ agents: [agent], end });
    else {
      row.agents.push(agent);
      row.end = Math.max(row.end, end);
    }
  }
  const label = groupLabel(group);
  return rows.map((row, at) => ({
    agents: row.agents,
    label: at === 0 ? label : "",
    title: label,
    depth,
  }));
}
