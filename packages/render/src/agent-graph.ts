import type { Session } from "@thoughtflow/schema";
import { workflowOfSessions } from "@thoughtflow/workflow/document";
import { oneLine, snippet } from "./clean-text.ts";
import { previewValue } from "./preview-value.ts";
import type { RenderOptions } from "./renderer.ts";
import { momentOf } from "./step-times.ts";

/** The agents of a session and their requests, as formats for graphs have them. */
export interface AgentGraph {
  readonly agents: readonly {
    readonly id: string;
    readonly label: string;
    /** What kind of agent it is, as people name it. */
    readonly kind: string;
    readonly parent: string | null;
    readonly requests: readonly AgentRequest[];
  }[];
  readonly edges: readonly {
    readonly source: string;
    readonly target: string;
    readonly type: string;
    readonly confidence: number;
  }[];
}

export interface AgentRequest {
  readonly id: string;
  readonly label: string;
  /** Milliseconds since 1970; absent where it is not known. */
  readonly start: number | undefined;
  /** Milliseconds. */
  readonly duration: number;
  readonly isError: boolean;
}

/** Request by request, in time; spawns lead from the request that asked to the first of the agent. */
export function agentGraph(
  session: Session,
  { run, inferred = false }: RenderOptions = {},
): AgentGraph {
  const conversations = session.conversations.filter(
    ({ conversation_id }) => run === undefined || conversation_id === run,
  );
  const { workflow_dag: dag, entities } = workflowOfSessions([{ ...session, conversations }], {
    extractionTimestamp: session.ended_at ?? session.started_at ?? "",
    inferred,
  });
  const requests = new Map(entities.api_requests.map((request) => [request.id, request]));
  const messages = new Map(entities.messages.map((message) => [message.id, message]));
  const nodes = new Map<string, (typeof dag.request_nodes)[number][]>();
  for (const node of dag.request_nodes) {
    const own = nodes.get(node.agent_id);
    if (own === undefined) nodes.set(node.agent_id, [node]);
    else own.push(node);
  }
  const wordsFor = (request: string): string => {
    const { content } = messages.get(requests.get(request)?.input ?? "") ?? {};
    const { text, result } = (content ?? {}) as {
      readonly text?: unknown;
      readonly result?: unknown;
    };
    const said = text ?? result;
    return said === undefined ? "" : snippet(previewValue(said, 200), 48);
  };
  return {
    agents: dag.nodes
      .filter(({ request_count }) => request_count > 0)
      .map(({ agent_id, agent_type, name, parent_agent_id }) => ({
        id: agent_id,
        kind: name ?? agent_type,
        parent: parent_agent_id,
        label: oneLine(name === undefined ? agent_id : `${name} (${agent_id})`),
        requests: (nodes.get(agent_id) ?? []).map(
          ({ id, index, request_id, timestamp, duration_ms: duration = 0 }) => ({
            id,
            start: momentOf(timestamp),
            duration,
            isError: requests.get(request_id)?.status === "error",
            label: oneLine(
              [
                `${index + 1}`,
                requests.get(request_id)?.model ?? "",
                timestamp?.slice(11, 19) ?? "",
                wordsFor(request_id),
              ]
                .filter((text) => text !== "")
                .join(" · "),
            ),
          }),
        ),
      })),
    edges: dag.request_edges,
  };
}
