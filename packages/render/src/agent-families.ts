import type { Agent, Session } from "@thoughtflow/schema";
import { createStepIndex } from "@thoughtflow/schema/steps";
import { taskDescriptionIn } from "@thoughtflow/workflow";
import { agentBeginnings } from "./agent-beginnings.ts";
import { agentLabels } from "./agent-labels.ts";
import { oneLine } from "./clean-text.ts";

/** Who gave work to whom in a session. */
export interface AgentFamilies {
  /** By the id of the one that gave them their work, under the empty one those to which none did; the one first whose model was called first. */
  readonly children: ReadonlyMap<string, readonly Agent[]>;
  /** What an agent is called, as in pictures: told apart from others of its name. */
  labelOf(agent: Agent): string;
}

/** @param given The session's agents, where more is known of them than it tells. */
export function agentFamilies(
  session: Session,
  given: readonly Agent[] = session.agents ?? [],
): AgentFamilies {
  const names = namesakesOf(session);
  const beginnings = agentBeginnings(session, (id) => names.has(id));
  const startOf = ({ agent_id: id }: Agent): number => beginnings.get(id)?.start ?? Infinity;
  const agents = given.toSorted((one, other) => {
    const [first, second] = [startOf(one), startOf(other)];
    return first === second ? 0 : first - second;
  });
  const known = new Set(agents.map(({ agent_id }) => agent_id));
  const children = new Map<string, Agent[]>();
  for (const agent of agents) {
    const { parent_agent_id: parent = "" } = agent;
    const key = known.has(parent) && parent !== agent.agent_id ? parent : "";
    const siblings = children.get(key);
    if (siblings === undefined) children.set(key, [agent]);
    else siblings.push(agent);
  }
  const named = agents.map((agent) => {
    const { agent_id: id, name = "" } = agent;
    const task = beginnings.get(id)?.task ?? "";
    return { id, name, label: id, task, description: descriptionOf(agent, session) };
  });
  const labels = new Map([...agentLabels(named)].map(([{ id }, label]) => [id, label]));
  return { children, labelOf: ({ agent_id: id }) => labels.get(id) ?? id };
}

/** The agents that share their names with others, by their ids. */
function namesakesOf({ agents = [] }: Session): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { name = "" } of agents) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Set(
    agents.flatMap(({ agent_id, name = "" }) => ((counts.get(name) ?? 0) > 1 ? agent_id : [])),
  );
}

/** What the one that asked for it called its task; empty where it did not, or stands in another session. */
function descriptionOf({ spawned_by: name }: Agent, session: Session): string {
  const [run] = session.conversations;
  const placed =
    name === undefined || run === undefined ? undefined : createStepIndex(session)(name, run);
  return placed === undefined ? "" : oneLine(taskDescriptionIn(placed.step) ?? "");
}
