import type { LinkedAgents } from "./agent-graph.ts";
import { oneLine, snippet } from "./clean-text.ts";
import { toldApart } from "./told-apart.ts";

type Named = Pick<LinkedAgents["agents"][number], "id" | "label" | "name" | "task" | "description">;

/** So much of a task is read before the name of its agent fills a label. */
const readTask = 14;
/** The same of what its task was called: that is short, and better whole. */
const readDescription = 34;
/** So much of a name that several have stands before what tells them apart; the names of plugins' agents have up to as many characters. */
const longestName = 40;
/** Nobody reads ids: what tells them apart comes first. */
const readId = 8;

/**
 * An agent's name, and what the one that asked for it called its task. Of those of one name without such words, or with the same, what they
 * were asked, from where that differs from what the others were asked, and where that is the same, too, the id before it.
 */
export function agentLabels<Agent extends Named>(
  agents: readonly Agent[],
): ReadonlyMap<Agent, string> {
  const byName = new Map<string, Agent[]>();
  for (const agent of agents) {
    const same = byName.get(agent.name);
    if (same === undefined) byName.set(agent.name, [agent]);
    else same.push(agent);
  }
  const labels = new Map<Agent, string>();
  for (const [name, same] of byName) {
    if (name !== "" && same.length === 1) {
      for (const agent of same) {
        const { description } = agent;
        labels.set(agent, oneLine(description === "" ? name : `${name}: ${description}`));
      }
      continue;
    }
    const named = name === "" ? [] : same;
    const described = toldApart(
      named.map(({ description }) => description),
      readDescription,
    );
    const others = named.filter(({ description }) => !described.has(description));
    const tasks = toldApart(
      others.map(({ task }) => task),
      readTask,
    );
    const ids = toldApart(
      same.map(({ id }) => id),
      readId,
      "character",
    );
    for (const agent of same) {
      const told = described.get(agent.description) ?? tasks.get(agent.task);
      const words = told ?? agent.task;
      const id = ids.get(agent.id) ?? agent.id;
      const called = snippet(name, longestName);
      const byId = name === "" ? agent.label : `${called} (${id})`;
      const asked = name === "" || words === "" ? "" : `: ${words}`;
      labels.set(agent, oneLine(`${told === undefined ? byId : called}${asked}`));
    }
  }
  return labels;
}
