import type { Session, Step } from "@thoughtflow/schema";
import { taskDescriptionIn } from "./task-description.ts";
import { isToolCall, type WorkflowCall } from "./workflow-calls.ts";
import type { AgentNode, WorkflowEdge } from "./workflow-document.ts";

/**
 * The agents of sessions, in the order in which these name them, which is that in which they began; then those that they don't name, in the
 * order of their first calls. Those without calls stand last, and only where something leads to them: what makes embeddings alone has no
 * conversation.
 *
 * @param tasks The steps that asked for agents, by these agents' ids
 * @param isCopy Whether another one of the sessions tells of a tool call that is only in the history of this one
 */
export function agentNodesOf(
  sessions: readonly Session[],
  calls: readonly WorkflowCall[],
  edges: readonly WorkflowEdge[],
  tasks: ReadonlyMap<string, Step>,
  isCopy: (tool: Step, session: Session) => boolean,
): readonly AgentNode[] {
  const spawns = edges.filter(({ type }) => type === "subagent_spawn");
  const parents = new Map(spawns.map((edge) => [edge.target_agent_id, edge]));
  const children = new Map<string, string[]>();
  for (const { source_agent_id: source, target_agent_id: target } of spawns) {
    const known = children.get(source);
    if (known === undefined) children.set(source, [target]);
    else known.push(target);
  }
  const owns = new Map<string, WorkflowCall[]>();
  for (const call of calls) {
    const own = owns.get(call.agentId);
    if (own === undefined) owns.set(call.agentId, [call]);
    else own.push(call);
  }
  const results = new Map<string, number>();
  for (const { type, target_agent_id: target } of edges)
    if (type === "tool_result") results.set(target, (results.get(target) ?? 0) + 1);
  const named = sessions.flatMap((session) =>
    (session.agents ?? []).map((agent) => ({ session, agent })),
  );
  const about = new Map(named.map((one) => [one.agent.agent_id, one]));
  const tied = new Set(edges.flatMap((edge) => [edge.source_agent_id, edge.target_agent_id]));
  const known = [...about.keys()];
  const ids = new Set([
    ...known.filter((id) => owns.has(id)),
    ...owns.keys(),
    ...known.filter((id) => tied.has(id)),
  ]);
  return [...ids].map((id, index): AgentNode => {
    const own = owns.get(id) ?? [];
    const agent = about.get(id)?.agent;
    const name = agent === undefined ? nameOfRuns(own) : agent.name;
    const spawn = parents.get(id);
    const task = tasks.get(id);
    const description = task && taskDescriptionIn(task);
    const below = children.get(id) ?? [];
    const times = own.flatMap(({ step }) => step.started_at ?? []).toSorted();
    const ends = own.flatMap(({ step }) => step.ended_at ?? []).toSorted();
    return {
      id,
      agent_id: id,
      session_id: own[0]?.session.session_id ?? about.get(id)?.session.session_id ?? "",
      ordinal: index + 1,
      ...(name !== undefined && { name }),
      agent_type: typeOf(own) ?? name ?? "",
      parent_agent_id: spawn?.source_agent_id ?? null,
      child_agent_ids: below,
      spawned_by_task_id: spawn?.spawned_by_task_id ?? null,
      ...(description !== undefined && { task_description: description }),
      request_count: own.length,
      tool_use_count: toolsOf(own, isCopy).size,
      tool_result_count: results.get(id) ?? 0,
      first_timestamp: times[0] ?? agent?.started_at ?? null,
      last_timestamp: ends.at(-1) ?? agent?.ended_at ?? null,
      is_root: spawn === undefined,
      is_leaf: below.length === 0,
    };
  });
}

/** What the runs are called in which an agent was at work that its session tells nothing of, where all say the same. */
function nameOfRuns(calls: readonly WorkflowCall[]): string | undefined {
  const [name, ...others] = new Set(calls.map(({ run }) => run.agent ?? run.name));
  return others.length === 0 ? name : undefined;
}

/** Each once, however often a history tells of it. */
function toolsOf(
  calls: readonly WorkflowCall[],
  isCopy: (tool: Step, session: Session) => boolean,
): ReadonlySet<Step> {
  const tools = new Set<Step>();
  for (const { output, given, session } of calls) {
    for (const step of given) if (isToolCall(step) && !isCopy(step, session)) tools.add(step);
    for (const step of output) if (isToolCall(step)) tools.add(step);
  }
  return tools;
}

/** The version of the first policy that an agent was called with. */
function typeOf(calls: readonly WorkflowCall[]): string | undefined {
  for (const { snapshots } of calls) {
    const policy = snapshots.find(({ label }) => label === "policy.snapshot");
    const version = policy?.payload_started?.["version"];
    if (typeof version === "string") return version;
  }
  return undefined;
}

/** How far each agent is below its root; a circle of parents ends where it began. */
export function depthsOf(nodes: readonly AgentNode[]): readonly number[] {
  const parents = new Map(
    nodes.map(({ agent_id, parent_agent_id }) => [agent_id, parent_agent_id]),
  );
  return nodes.map(({ agent_id }) => {
    const path = new Set<string>();
    for (let at = parents.get(agent_id); at && !path.has(at); at = parents.get(at)) path.add(at);
    return path.size;
  });
}
