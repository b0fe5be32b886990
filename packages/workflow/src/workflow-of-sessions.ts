import type { Run, Session, Step } from "@thoughtflow/schema";
import { agentNodesOf, depthsOf } from "./agent-nodes.ts";
import { inferredEdges } from "./inferred-edges.ts";
import { requestEdgesOf, requestNodesOf, requestOf } from "./request-nodes.ts";
import { callsOf, type WorkflowCall } from "./workflow-calls.ts";
import type {
  Deduplication,
  DeduplicationCounts,
  Workflow,
  WorkflowEdge,
} from "./workflow-document.ts";
import { entitiesOf } from "./workflow-entities.ts";

export interface WorkflowOptions {
  /** Stands in the document as `extraction_timestamp`; ISO 8601. */
  readonly extractionTimestamp: string;
  /** Whether what is only likely is looked for, too: answers given on, agents that began one after another. Default true. */
  readonly inferred?: boolean;
}

/** Of edges that were inferred without saying how sure they are. */
const CONFIDENCE_INFERRED = 0.9;

/** The workflow of sessions: their agents, requests, messages, and what led to what. The same sessions give the same document. */
export function workflowOfSessions(
  sessions: readonly Session[],
  { extractionTimestamp, inferred = true }: WorkflowOptions,
): Workflow {
  const calls = sessions.flatMap(callsOf);
  const edges = sessions.flatMap((session) => edgesOf(session, calls, inferred));
  const spawning = new Set(edges.flatMap(({ task }) => task ?? []));
  const entities = entitiesOf(calls, spawning);
  const nodes = agentNodesOf(
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
function edgesOf(
  session: Session,
  calls: readonly WorkflowCall[],
  inferred: boolean,
): readonly FoundEdge[] {
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
  return inferred ? [...found, ...inferredEdges(session, own).map((edge) => ({ edge }))] : found;
}

function countOf(edges: readonly WorkflowEdge[], wanted: WorkflowEdge["type"]): number {
  return edges.filter(({ type }) => type === wanted).length;
}

function callIdOf(step: Step): string {
  const id = step.payload_started?.["call_id"];
  return typeof id === "string" ? id : step.step_id;
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
