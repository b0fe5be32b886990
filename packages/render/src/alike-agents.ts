import type { LinkedAgents } from "./agent-graph.ts";
import { oneLine } from "./clean-text.ts";
import { counted, formatCount } from "./figures.ts";

type Agent = LinkedAgents["agents"][number];

/** So many have a place each in a picture, alike or not. */
const MOST_APART = 40;
/** So few alike keep places of their own. */
const MOST_ALONE = 3;

/**
 * Of many agents those in one group that are alike: of one name and type, one agent asked for them, they asked for none, and
 * none goes on from another. Each of the others is a group of its own, and so is each of few agents.
 */
export function alikeAgents({ agents, edges }: LinkedAgents): readonly (readonly Agent[])[] {
  if (agents.length <= MOST_APART) return agents.map((agent) => [agent]);
  const continuing = edges.filter(({ type }) => type === "continues");
  const apart = new Set(continuing.flatMap(({ source, target }) => [source, target]));
  const parents = new Set(agents.map(({ parent }) => parent));
  const groups = new Map<unknown, Agent[]>();
  for (const agent of agents) {
    const { id, parent, type, name, requests } = agent;
    const isKnown = name !== "" || type !== "";
    const isApart = parents.has(id) || requests.some((request) => apart.has(request.id));
    const key = isApart || !isKnown ? agent : JSON.stringify([parent, type, name]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [agent]);
    else group.push(agent);
  }
  return [...groups.values()].flatMap((group) =>
    group.length <= MOST_ALONE ? group.map((agent) => [agent]) : [group],
  );
}

/** `18 × probe`; `312 agents` where they have several names. */
export function groupLabel(group: readonly { readonly name?: string | undefined }[]): string {
  const names = new Set(group.map((agent) => agent.name));
  const name = names.size === 1 ? oneLine(group[0]?.name ?? "") : "";
  return name === "" ? counted(group.length, "agent") : `${formatCount(group.length)} × ${name}`;
}
