import type { Session } from "@thoughtflow/schema";

/**
 * The sessions with agents that have an id each. A program may call its agent the same in every conversation, and formats without
 * ids number from 1: an agent of a later session is then called `<id>~2`. What no agent is called is left as it is.
 */
export function withDistinctAgents(sessions: readonly Session[]): readonly Session[] {
  if (sessions.length < 2) return sessions;
  const taken = new Set<string>();
  const numbers = new Map<string, number>();

  function freeName(id: string, own: ReadonlySet<string>): string {
    for (let number = numbers.get(id) ?? 2; ; number++) {
      const name = `${id}~${number}`;
      if (taken.has(name) || own.has(name)) continue;
      numbers.set(id, number + 1);
      return name;
    }
  }

  return sessions.map((session) => {
    const names = new Map<string, string>();
    const ids = agentIdsIn(session);
    for (const id of ids) if (taken.has(id)) names.set(id, freeName(id, ids));
    for (const id of ids) taken.add(names.get(id) ?? id);
    return names.size === 0 ? session : renamed(session, names);
  });
}

function agentIdsIn({ agents = [], conversations }: Session): ReadonlySet<string> {
  const ids = new Set(agents.map(({ agent_id }) => agent_id));
  for (const { steps } of conversations)
    for (const { agent_id: id } of steps) if (id !== undefined) ids.add(id);
  return ids;
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
