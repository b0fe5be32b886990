import type { Session } from "@thoughtflow/schema";
import { workflowOfSessions } from "@thoughtflow/workflow/document";
import { oneLine, snippet } from "./clean-text.ts";
import { previewValue } from "./preview-value.ts";
import type { RenderOptions } from "./renderer.ts";

/** The agents of a session and their requests, as formats for graphs have them. */
export interface AgentGraph {
  readonly agents: readonly {
    readonly id: string;
    readonly label: string;
    readonly requests: readonly { readonly id: string; readonly label: string }[];
  }[];
  readonly edges: readonly {
    readonly source: string;
    readonly target: string;
    readonly type: string;
    readonly confidence: number;
  }[];
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
  });
  const requests = new Map(entities.api_requests.map((request) => [request.id, request]));
  const messages = new Map(entities.messages.map((message) => [message.id, message]));
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
      .map(({ agent_id, name }) => ({
        id: agent_id,
        label: oneLine(name === undefined ? agent_id : `${name} (${agent_id})`),
        requests: dag.request_nodes
          .filter((node) => node.agent_id === agent_id)
          .map(({ id, index, request_id, timestamp }) => ({
            id,
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
          })),
      })),
    edges: dag.request_edges.filter(({ type }) => inferred || !LIKELY.has(type)),
  };
}

/** Nobody recorded these. */
const LIKELY: ReadonlySet<string> = new Set(["content_reuse", "request_sequence"]);
