import type { Run, Session, Step } from "@thoughtflow/schema";
import { inferredEdges } from "./inferred-edges.ts";
import { callsOf, type WorkflowCall } from "./workflow-calls.ts";
import type {
  AgentNode,
  Deduplication,
  DeduplicationCounts,
  RequestEdge,
  RequestEntity,
  RequestNode,
  Workflow,
  WorkflowEdge,
} from "./workflow-document.ts";
import { entitiesOf, type Place } from "./workflow-entities.ts";

export interface WorkflowOptions {
  /** Stands in the document as `extraction_timestamp`; ISO 8601. */
  readonly extractionTimestamp: string;
}

/** Of edges that were inferred without saying how sure they are. */
const CONFIDENCE_INFERRED = 0.9;

/** The workflow of sessions: their agents, requests, messages, and what led to what. The same sessions give the same document. */
export function workflowOfSessions(
  sessions: readonly Session[],
  { extractionTimestamp }: WorkflowOptions,
): Workflow {
  const calls = sessions.flatMap(callsOf);
  const edges = sessions.flatMap((session) => edgesOf(session, calls));
  const spawning = new Set(edges.flatMap(({ task }) => task ?? []));
  const entities = entitiesOf(calls, spawning);
  const nodes = nodesOf(
    sessions,
    calls,
    edges.map(({ edge }) => edge),
  );
  const requests = calls.map((call) => requestOf(call, entities.places.get(call)));
  const requestNodes = requestNodesOf(nodes, calls);
  const dag = edges.map(({ edge }) => edge);
  const counted = {
    tool_definitions: entities.tools,
    system_prompts: entities.systems,
    tasks: entities.tasks,
    tool_uses: entities.toolUses,
    messages: entities.messages,
  };
  return {
    metadata: {
      extraction_timestamp: extractionTimestamp,
      sessions: sessions.map(({ session_id }) => session_id),
      summary: {
        counts: {
          agent_instances: nodes.length,
          api_requests: requests.length,
          messages: entities.messages.length,
          tool_definitions: entities.tools.length,
          system_prompts: entities.systems.length,
          tasks: entities.tasks.length,
          tool_uses: entities.toolUses.length,
        },
        agent_tracking: {
          total_agents: nodes.length,
          total_requests: requests.length,
          avg_requests_per_agent: ratio(requests.length, nodes.length),
          root_agents: nodes.filter((node) => node.is_root).length,
          child_agents: nodes.filter((node) => !node.is_root).length,
          unique_agent_types: new Set(nodes.map(({ agent_type }) => agent_type)).size,
        },
        deduplication: deduplicationOf(counted),
      },
    },
    entities: {
      agent_instances: nodes,
      api_requests: requests,
      messages: entities.messages,
      tool_definitions: entities.tools,
      system_prompts: entities.systems,
      tasks: entities.tasks,
      tool_uses: entities.toolUses,
    },
    relationships: {
      agent_hierarchy: Object.fromEntries(
        nodes
          .filter(({ child_agent_ids }) => child_agent_ids.length > 0)
          .map(({ agent_id, child_agent_ids }) => [agent_id, child_agent_ids]),
      ),
      request_to_agent: Object.fromEntries(calls.map(({ id, agentId }) => [id, agentId])),
    },
    workflow_dag: {
      nodes,
      edges: dag,
      request_nodes: requestNodes,
      request_edges: requestEdgesOf(requestNodes, dag),
      metrics: {
        total_agents: nodes.length,
        root_agents: nodes.filter((node) => node.is_root).length,
        leaf_agents: nodes.filter((node) => node.is_leaf).length,
        total_edges: dag.length,
        spawn_edges: countOf(dag, "subagent_spawn"),
        tool_result_edges: countOf(dag, "tool_result"),
        content_reuse_edges: countOf(dag, "content_reuse"),
        request_sequence_edges: countOf(dag, "request_sequence"),
        max_depth: Math.max(0, ...depthsOf(nodes)),
        avg_children_per_agent: ratio(
          nodes.reduce((sum, { child_agent_ids }) => sum + child_agent_ids.length, 0),
          nodes.length,
        ),
      },
      root_agent_ids: nodes.filter((node) => node.is_root).map(({ agent_id }) => agent_id),
    },
  };
}

interface FoundEdge {
  readonly edge: WorkflowEdge;
  /** The tool call that started an agent. */
  readonly task?: Step;
}

/** Spawns, hand-overs, results of tools and stretches, each once. */
function edgesOf(session: Session, calls: readonly WorkflowCall[]): readonly FoundEdge[] {
  const steps = new Map<string, { run: Run; step: Step }>();
  for (const run of session.conversations) {
    for (const step of run.steps) {
      steps.set(`${run.conversation_id}/${step.step_id}`, { run, step });
      if (!steps.has(step.step_id)) steps.set(step.step_id, { run, step });
    }
  }
  const find = (run: Run, name: string) =>
    steps.get(`${run.conversation_id}/${name}`) ?? steps.get(name);
  const own = calls.filter((call) => call.session === session);
  const agentOf = ({ agent_id }: Step): string => agent_id ?? `agent_${session.session_id}`;
  const makers = new Map(own.flatMap((call) => call.output.map((step) => [step, call] as const)));
  const firstOf = new Map<string, WorkflowCall>();
  for (const call of own) if (!firstOf.has(call.agentId)) firstOf.set(call.agentId, call);
  const found: FoundEdge[] = [];

  for (const agent of session.agents ?? []) {
    const task = steps.get(agent.spawned_by ?? "")?.step;
    if (agent.parent_agent_id === undefined) continue;
    const target = firstOf.get(agent.agent_id);
    const maker = task && makers.get(task);
    found.push({
      ...(task !== undefined && { task }),
      edge: {
        type: "subagent_spawn",
        origin: agent.origin ?? "observed",
        source_agent_id: agent.parent_agent_id,
        target_agent_id: agent.agent_id,
        ...(task !== undefined && { spawned_by_task_id: callIdOf(task) }),
        ...(maker !== undefined && { source_request_id: maker.id }),
        ...(target !== undefined && { target_request_id: target.id }),
        confidence: agent.origin === "inferred" ? CONFIDENCE_INFERRED : 1,
      },
    });
  }
  const seen = new Set<Step>();
  for (const call of own) {
    for (const output of call.given) {
      if (output.label !== "tool_output" && output.label !== "tool_error") continue;
      if (seen.has(output)) continue;
      seen.add(output);
      const returns = (output.edges ?? []).find(({ type }) => type === "returns");
      const tool = returns && find(call.run, returns.to)?.step;
      if (tool === undefined) continue;
      const maker = makers.get(tool);
      found.push({
        edge: {
          type: "tool_result",
          origin: "observed",
          source_agent_id: maker?.agentId ?? agentOf(tool),
          target_agent_id: call.agentId,
          tool_use_id: callIdOf(tool),
          tool_name: String(tool.payload_started?.["name"] ?? ""),
          ...(maker !== undefined && { source_request_id: maker.id }),
          target_request_id: call.id,
          is_error: output.label === "tool_error",
          confidence: 1,
        },
      });
    }
    for (const { to, type, origin, confidence } of call.step.edges ?? []) {
      if (type !== "continues" && type !== "handoff") continue;
      const source = find(call.run, to)?.step;
      if (source === undefined || agentOf(source) === call.agentId) continue;
      found.push({
        edge: {
          type,
          origin: origin ?? "observed",
          source_agent_id: agentOf(source),
          target_agent_id: call.agentId,
          source_request_id: source.step_id,
          target_request_id: call.id,
          confidence: origin === "inferred" ? (confidence ?? CONFIDENCE_INFERRED) : 1,
        },
      });
    }
  }
  return [...found, ...inferredEdges(session, own).map((edge) => ({ edge }))];
}

function countOf(edges: readonly WorkflowEdge[], wanted: WorkflowEdge["type"]): number {
  return edges.filter(({ type }) => type === wanted).length;
}

function callIdOf(step: Step): string {
  const id = step.payload_started?.["call_id"];
  return typeof id === "string" ? id : step.step_id;
}

function nodesOf(
  sessions: readonly Session[],
  calls: readonly WorkflowCall[],
  edges: readonly WorkflowEdge[],
): readonly AgentNode[] {
  const spawns = edges.filter(({ type }) => type === "subagent_spawn");
  const parents = new Map(spawns.map((edge) => [edge.target_agent_id, edge]));
  const children = new Map<string, string[]>();
  for (const { source_agent_id: source, target_agent_id: target } of spawns)
    children.set(source, [...(children.get(source) ?? []), target]);
  const owns = new Map<string, WorkflowCall[]>();
  for (const call of calls) owns.set(call.agentId, [...(owns.get(call.agentId) ?? []), call]);
  const named = sessions.flatMap((session) =>
    (session.agents ?? []).map((agent) => ({ session, agent })),
  );
  const about = new Map(named.map((one) => [one.agent.agent_id, one]));
  const ids = new Set([...owns.keys(), ...about.keys()]);
  return [...ids].map((id, index): AgentNode => {
    const own = owns.get(id) ?? [];
    const agent = about.get(id)?.agent;
    const spawn = parents.get(id);
    const below = children.get(id) ?? [];
    const results = edges.filter(
      ({ type, target_agent_id }) => type === "tool_result" && target_agent_id === id,
    );
    const times = own.flatMap(({ step }) => step.started_at ?? []).toSorted();
    const ends = own.flatMap(({ step }) => step.ended_at ?? []).toSorted();
    return {
      id,
      agent_id: id,
      session_id: own[0]?.session.session_id ?? about.get(id)?.session.session_id ?? "",
      ordinal: index + 1,
      ...(agent?.name !== undefined && { name: agent.name }),
      agent_type: typeOf(own),
      parent_agent_id: spawn?.source_agent_id ?? null,
      child_agent_ids: below,
      spawned_by_task_id: spawn?.spawned_by_task_id ?? null,
      request_count: own.length,
      tool_use_count: own.reduce(
        (sum, { output }) => sum + output.filter(({ label }) => label === "tool_call").length,
        0,
      ),
      tool_result_count: results.length,
      first_timestamp: times[0] ?? agent?.started_at ?? null,
      last_timestamp: ends.at(-1) ?? agent?.ended_at ?? null,
      is_root: spawn === undefined,
      is_leaf: below.length === 0,
    };
  });
}

function typeOf(calls: readonly WorkflowCall[]): string {
  for (const { snapshots } of calls) {
    const policy = snapshots.find(({ label }) => label === "policy.snapshot");
    const version = policy?.payload_started?.["version"];
    if (typeof version === "string") return version;
  }
  return "";
}

function requestOf(call: WorkflowCall, place: Place | undefined): RequestEntity {
  const { id, agentId, step, run, session, before } = call;
  const model = step.payload_started?.["model"];
  return {
    id,
    agent_id: agentId,
    session_id: session.session_id,
    run_id: run.conversation_id,
    ...(typeof model === "string" && { model }),
    ...(step.started_at !== undefined && { timestamp: step.started_at }),
    ...(step.duration_ms !== undefined && { duration_ms: step.duration_ms }),
    ...(step.status !== undefined && { status: step.status }),
    ...(step.usage !== undefined && { usage: step.usage }),
    continues: before?.id ?? null,
    input: place?.input ?? null,
    output: place?.output ?? [],
  };
}

function requestNodesOf(
  nodes: readonly AgentNode[],
  calls: readonly WorkflowCall[],
): readonly RequestNode[] {
  const roots = new Set(nodes.filter((node) => node.is_root).map(({ agent_id }) => agent_id));
  const totals = new Map(nodes.map(({ agent_id, request_count }) => [agent_id, request_count]));
  const turns = new Map<string, number>();
  return calls.map(({ id, agentId, step }): RequestNode => {
    const index = turns.get(agentId) ?? 0;
    turns.set(agentId, index + 1);
    const time = step.started_at?.slice(11, 19) ?? "";
    return {
      id: `${agentId}_req_${index}`,
      request_id: id,
      agent_id: agentId,
      index,
      label: `${agentId} [${index + 1}/${totals.get(agentId) ?? 1}] - ${time}`,
      is_root: index === 0 && roots.has(agentId),
      ...(step.started_at !== undefined && { timestamp: step.started_at }),
      ...(step.duration_ms !== undefined && { duration_ms: step.duration_ms }),
    };
  });
}

const REQUEST_EDGES: Readonly<Partial<Record<WorkflowEdge["type"], RequestEdge["type"]>>> = {
  subagent_spawn: "spawn",
  content_reuse: "content_reuse",
  request_sequence: "request_sequence",
};

/** An agent's requests one after the other; a spawn leaves the request that holds the spawning call. */
function requestEdgesOf(
  nodes: readonly RequestNode[],
  edges: readonly WorkflowEdge[],
): readonly RequestEdge[] {
  const byRequest = new Map(nodes.map((node) => [node.request_id, node.id]));
  const ids = new Set(nodes.map(({ id }) => id));
  const sequential = nodes.flatMap(({ id, agent_id, index }): RequestEdge[] => {
    const source = `${agent_id}_req_${index - 1}`;
    return ids.has(source) ? [{ type: "sequential", source, target: id, confidence: 1 }] : [];
  });
  const others = edges.flatMap((edge): RequestEdge[] => {
    const type = REQUEST_EDGES[edge.type];
    const source = byRequest.get(edge.source_request_id ?? "");
    const target = byRequest.get(edge.target_request_id ?? "");
    if (type === undefined || source === undefined || target === undefined) return [];
    return [{ type, source, target, confidence: edge.confidence }];
  });
  return [...sequential, ...others];
}

function deduplicationOf(
  kinds: Readonly<Record<string, readonly { readonly occurrence_count: number }[]>>,
): Deduplication {
  const byType = Object.entries(kinds).map(([type, list]): [string, DeduplicationCounts] => {
    const occurrences = list.reduce((sum, { occurrence_count }) => sum + occurrence_count, 0);
    return [type, { unique: list.length, occurrences, ratio: ratio(occurrences, list.length) }];
  });
  const unique = byType.reduce((sum, [, one]) => sum + one.unique, 0);
  const occurrences = byType.reduce((sum, [, one]) => sum + one.occurrences, 0);
  return {
    total_unique_entities: unique,
    total_occurrences: occurrences,
    overall_duplication_ratio: ratio(occurrences, unique),
    duplicates_removed: occurrences - unique,
    by_entity_type: Object.fromEntries(byType),
  };
}

/** Two digits after the point; 0 of nothing. */
function ratio(count: number, of: number): number {
  return of === 0 ? 0 : Math.round((count / of) * 100) / 100;
}

/** How far each agent is below its root; a circle of parents ends where it began. */
function depthsOf(nodes: readonly AgentNode[]): readonly number[] {
  const parents = new Map(
    nodes.map(({ agent_id, parent_agent_id }) => [agent_id, parent_agent_id]),
  );
  return nodes.map(({ agent_id }) => {
    const path = new Set<string>();
    for (let at = parents.get(agent_id); at && !path.has(at); at = parents.get(at)) path.add(at);
    return path.size;
  });
}
