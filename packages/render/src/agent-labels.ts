import type { LinkedAgents } from "./agent-graph.ts";
import { oneLine, snippet } from "./clean-text.ts";
import { toldApart } from "./told-apart.ts";

type Named = Pick<LinkedAgents["agents"][number], "id" | "label" | "name" | "task">;

/** So much of a task is read before the name of its agent fills a label. */
const readTask = 14;
/** So much of a name that several have stands before what tells them apart. */
const longestName = 24;
/** Nobody reads ids: what tells them apart comes first. */
const readId = 8;

/**
 * An agent's name; where others have the same one with what it was asked, from where that differs from what those were asked, and where that
 * is the same, too, with its id before it.
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
      for (const agent of same) labels.set(agent, oneLine(name));
      continue;
    }
    const tasks = toldApart(name === "" ? [] : same.map(({ task }) => task), readTask);
    const ids = toldApart(
      same.map(({ id }) => id),
      readId,
      "character",
    );
    for (const agent of same) {
      const task = tasks.get(agent.task);
      const id = ids.get(agent.id) ?? agent.id;
      const called = snippet(name, longestName);
      const byId = name === "" ? agent.label : `${called} (${id})`;
      const asked = name === "" || agent.task === "" ? "" : `: ${task ?? agent.task}`;
      labels.set(agent, oneLine(`${task === undefined ? byId : called}${asked}`));
    }
  }
  return labels;
}
