import type { Renderer } from "@thoughtflow/render";
import type { Agent, Session } from "@thoughtflow/schema";
import { atifStepsByAgent, dollarsOf, withoutNothing } from "./atif-steps.ts";
import type { AtifStep, AtifTrajectory } from "./atif-types.ts";

/**
 * A session as a trajectory of ATIF 1.8, sub-agents embedded. What ATIF has no place for (edges, origins, provenance, runs) stands
 * under `extra.thoughtflow`, so that `import atif` gives the same document back.
 */
export const atif: Renderer = {
  name: "atif",
  mediaType: "application/json",
  fileExtension: ".atif.json",
  render: (session, { run } = {}) => {
    const conversations = session.conversations.filter(
      ({ conversation_id }) => run === undefined || conversation_id === run,
    );
    return `${JSON.stringify(trajectoryOf({ ...session, conversations }), null, 2)}\n`;
  },
};

/** ATIF wants a step at least. */
const NOTHING: AtifStep = { step_id: 1, source: "system", message: "" };

function trajectoryOf(session: Session): AtifTrajectory {
  const { session_id, agents = [], conversations, totals, resource, ...rest } = session;
  const steps = atifStepsByAgent(session);
  const main = agents.find(
    ({ agent_id, parent_agent_id: parent }) => parent === undefined && steps.has(agent_id),
  );
  const mainId = main?.agent_id ?? "";
  const own = numbered([
    ...(steps.get("") ?? []),
    ...(mainId === "" ? [] : (steps.get(mainId) ?? [])),
  ]);
  const others = agents.filter(({ agent_id }) => agent_id !== mainId && steps.has(agent_id));
  const children = new Map<string, Agent[]>();
  for (const agent of others) {
    const { parent_agent_id: parent } = agent;
    if (parent === undefined || parent === mainId) continue;
    const beside = children.get(parent);
    if (beside === undefined) children.set(parent, [agent]);
    else beside.push(agent);
  }
  const childrenOf = (id: string): readonly Agent[] => children.get(id) ?? [];
  /** The agents that stand somewhere: what programs note may lead in a circle. */
  const placed = new Set<Agent>();
  const embedded = (agent: Agent): AtifTrajectory => {
    placed.add(agent);
    const inner = childrenOf(agent.agent_id).filter((child) => !placed.has(child));
    return {
      schema_version: "ATIF-v1.8",
      session_id,
      trajectory_id: agent.agent_id,
      agent: agentOf(agent, resource),
      steps: steps.get(agent.agent_id) ?? [],
      ...(inner.length > 0 && { subagent_trajectories: inner.map(embedded) }),
    };
  };
  const nested = new Set(others.flatMap(({ agent_id }) => childrenOf(agent_id)));
  const direct = others.filter((agent) => !nested.has(agent)).map(embedded);
  for (const agent of others) if (!placed.has(agent)) direct.push(embedded(agent));
  return {
    schema_version: "ATIF-v1.8",
    session_id,
    agent: { ...agentOf(main, resource), ...toolsOf(session) },
    steps: own.length === 0 ? [NOTHING] : own,
    final_metrics: withoutNothing<NonNullable<AtifTrajectory["final_metrics"]>>({
      total_prompt_tokens: totals?.input_tokens,
      total_completion_tokens: totals?.output_tokens,
      total_cached_tokens: totals?.cache_read_input_tokens,
      total_cost_usd: dollarsOf(totals?.cost),
      total_steps: Math.max(own.length, 1),
    }),
    extra: {
      thoughtflow: {
        session: withoutNothing({ session_id, agents: session.agents, totals, resource, ...rest }),
        runs: conversations.map(({ steps: _, ...run }) => run),
      },
    },
    ...(direct.length > 0 && { subagent_trajectories: direct }),
  };
}

/** In the order of time, with numbers from 1. */
function numbered(steps: readonly AtifStep[]): readonly AtifStep[] {
  return steps
    .toSorted((a, b) => compare(a.timestamp ?? "", b.timestamp ?? ""))
    .map((step, index) => ({ ...step, step_id: index + 1 }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function agentOf(agent: Agent | undefined, resource: Session["resource"]): AtifTrajectory["agent"] {
  const version = resource?.["service.version"];
  return withoutNothing<AtifTrajectory["agent"]>({
    name: agent?.name ?? String(resource?.["service.name"] ?? "agent"),
    version: typeof version === "string" ? version : "unknown",
    model_name: agent?.models?.[0],
  });
}

/** The tools that were offered: every snapshot's, each name once. */
function toolsOf({ conversations }: Session): { tool_definitions?: readonly object[] } {
  const tools = new Map<string, object>();
  for (const { steps } of conversations)
    for (const { label, payload_started: payload } of steps) {
      const schemas = label === "tool.schemas.snapshot" ? payload?.["schemas"] : undefined;
      for (const tool of Array.isArray(schemas) ? schemas : [])
        if (typeof tool === "object" && tool !== null) tools.set(nameOf(tool), tool);
    }
  return tools.size === 0 ? {} : { tool_definitions: [...tools.values()] };
}

function nameOf(tool: object): string {
  const { name, function: inner } = tool as { name?: unknown; function?: { name?: unknown } };
  return String(name ?? inner?.name ?? JSON.stringify(tool));
}
