import type { AgentGraph } from "./agent-graph.ts";
import { oneLine } from "./clean-text.ts";

type Agent = AgentGraph["agents"][number];

/** An agent's name; where others have the same one with what it was asked, and where that is the same, too, with its id. */
export function agentLabels(agents: readonly Agent[]): ReadonlyMap<Agent, string> {
  const names = countsOf(agents.map(({ name }) => name));
  const asked = agents.map(({ name, requests }) => {
    const words = requests[0]?.words ?? "";
    // What a program wrote there tells them apart no better than an id.
    return name === "" || words === "" || words.startsWith("<") ? "" : `${name}: ${words}`;
  });
  const tasks = countsOf(asked);
  return new Map(
    agents.map((agent, at) => {
      const task = asked[at] ?? "";
      if (agent.name !== "" && names.get(agent.name) === 1) return [agent, oneLine(agent.name)];
      return [agent, task !== "" && tasks.get(task) === 1 ? oneLine(task) : agent.label];
    }),
  );
}

function countsOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
