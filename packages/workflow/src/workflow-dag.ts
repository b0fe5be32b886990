import type { Run, Session, Step } from "@thoughtflow/schema";
import { agentNodesOf } from "./agent-nodes.ts";
import { inferredEdges } from "./inferred-edges.ts";
import { requestEdgesOf, requestNodesOf } from "./request-nodes.ts";
import { callsOf, type WorkflowCall } from "./workflow-calls.ts";
import type { AgentNode, RequestEdge, RequestNode, WorkflowEdge } from "./workflow-document.ts";

/** The agents of sessions and their requests, and what led to what. */
export interface WorkflowDag {
  readonly calls: readonly WorkflowCall[];
  readonly nodes: readonly AgentNode[];
  readonly edges: readonly WorkflowEdge[];
  /** One a call, in the same order. */
  readonly requestNodes: readonly RequestNode[];
  readonly requestEdges: readonly RequestEdge[];
  /** The tool calls that started agents. */
  readonly tasks: ReadonlySet<Step>;
}

/** Of edges that were inferred without saying how sure they are. */
const CONFIDENCE_INFERRED = 0.9;

/** Reads no message but where what is only likely is looked for. */
export function dagOfSessions(sessions: readonly Session[], inferred: boolean): WorkflowDag {
  const calls = sessions.flatMap(callsOf);
  const found = sessions.flatMap((session) => edgesOf(session, calls, inferred));
  const edges = found.map(({ edge }) => edge);
  const nodes = agentNodesOf(sessions, calls, edges);
  const requestNodes = requestNodesOf(nodes, calls);
  return {
    calls,
    nodes,
    edges,
    requestNodes,
    requestEdges: requestEdgesOf(requestNodes, edges),
    tasks: new Set(found.flatMap(({ task }) => task ?? [])),
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
  const sureness = new Map<string, number | undefined>();
  for (const run of session.conversations) {
    for (const step of run.steps) {
      steps.set(`${run.conversation_id}/${step.step_id}`, { run, step });
      if (!steps.has(step.step_id)) steps.set(step.step_id, { run, step });
      const spawn = step.edges?.find(({ type }) => type === "subagent_spawn");
      const agentId = step.agent_id ?? "";
      if (spawn !== undefined && !sureness.has(agentId)) sureness.set(agentId, spawn.confidence);
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
        confidence:
          agent.origin === "inferred" ? (sureness.get(agent.agent_id) ?? CONFIDENCE_INFERRED) : 1,
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

function callIdOf(step: Step): string {
  const id = step.payload_started?.["call_id"];
  return typeof id === "string" ? id : step.step_id;
}
