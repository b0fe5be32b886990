import type { Session } from "@thoughtflow/schema";

/**
 * The sessions with agents that have an id each. A program may call its agent the same in every conversation, and formats without
 * ids number from 1: an agent of a later session is then called `<id>~2`. What no agent is called is left as it is.
 */
export function withDistinctAgents(sessions: readonly Session[]): readonly Session[] {
  if (sessions.length < 2) return sessions;
  const taken = new Set<string>();
  return sessions.map((session) => {
    const names = new Map<string, string>();
    for (const id of agentIdsIn(session)) {
      const name = freeName(id, taken);
      if (name !== id) names.set(id, name);
    }
    for (const id of agentIdsIn(session)) taken.add(names.get(id) ?? id);
    return names.size === 0 ? session : renamed(session, names);
  });
}

function agentIdsIn({ agents = [], conversations }: Session): ReadonlySet<string> {
  const ids = new Set(agents.map(({ agent_id }) => agent_id));
  for (const { steps } of conversations)
    for (const { agent_id: id } of steps) if (id !== undefined) ids.add(id);
  return ids;
}

function freeName(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  for (let number = 2; ; number++) if (!taken.has(`${id}~${number}`)) return `${id}~${number}`;
}

function renamed(session: Session, names: ReadonlyMap<string, string>): Session {
  const nameOf = (id: string): string => names.get(id) ?? id;
  return {
    ...session,
    ...(session.agents !== undefined && {
      agents: session.agents.map((agent) => ({
        ...agent,
        agent_id: nameOf(agent.agent_id),
        ...(agent.parent_agent_id !== undefined && {
          parent_agent_id: nameOf(agent.parent_agent_id),
        }),
      })),
    }),
    conversations: session.conversations.map((run) => ({
      ...run,
      steps: run.steps.map((step) =>
        step.agent_id === undefined ? step : { ...step, agent_id: nameOf(step.agent_id) },
      ),
    })),
  };
}
