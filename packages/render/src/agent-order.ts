import type { LinkedAgents } from "./agent-graph.ts";

type Agent = LinkedAgents["agents"][number];

/** An agent at its place in a picture. */
export interface PlacedAgent {
  readonly agent: Agent;
  /** How many agents stand above it that asked for one another. */
  readonly depth: number;
  /** The one that asked for it, or for what it goes on from; absent where nobody did. */
  readonly under: Agent | undefined;
}

/** Each agent below the one that asked for it, the earlier first, and one that goes on from another beside that. */
export function agentsInOrder({ agents, edges }: LinkedAgents): readonly PlacedAgent[] {
  const continuations = continuationsOf({ agents, edges });
  const ids = new Set(agents.map(({ id }) => id));
  const continuing = new Set([...continuations.values()].flat());
  const below = new Map<string | null, Agent[]>();
  for (const agent of inTime(agents)) {
    if (continuing.has(agent)) continue;
    const parent = agent.parent !== null && ids.has(agent.parent) ? agent.parent : null;
    const children = below.get(parent);
    if (children === undefined) below.set(parent, [agent]);
    else children.push(agent);
  }
  const ordered: PlacedAgent[] = [];
  const placed = new Set<Agent>();
  const waiting: PlacedAgent[] = [];
  const push = (given: readonly Agent[], depth: number, under: Agent | undefined): void => {
    for (const agent of given.toReversed()) waiting.push({ agent, depth, under });
  };
  push(below.get(null) ?? [], 0, undefined);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { agent, depth, under } = next;
    if (placed.has(agent)) continue;
    placed.add(agent);
    ordered.push(next);
    push(continuations.get(agent.id) ?? [], depth, under);
    push(below.get(agent.id) ?? [], depth + 1, agent);
  }
  // Parents in a circle have no root above them.
  const lost = agents.filter((agent) => !placed.has(agent));
  return [...ordered, ...lost.map((agent) => ({ agent, depth: 0, under: undefined }))];
}

/** Those whose times are not known stand last. */
function inTime(agents: readonly Agent[]): readonly Agent[] {
  const starts = new Map(
    agents.map((agent) => [
      agent,
      agent.requests.reduce((least, { start = Infinity }) => Math.min(least, start), Infinity),
    ]),
  );
  const startOf = (agent: Agent): number => starts.get(agent) ?? Infinity;
  return agents.toSorted((one, other) => {
    const [first, second] = [startOf(one), startOf(other)];
    return first === second ? 0 : first - second;
  });
}

/** By an agent's id those that go on from it. */
type Continuations = ReadonlyMap<string, readonly Agent[]>;

function continuationsOf({ agents, edges }: LinkedAgents): Continuations {
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
