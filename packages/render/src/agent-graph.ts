import type { Session } from "@thoughtflow/schema";
import {
  contentOf,
  dagOfSessions,
  lastMessageOf,
  type RequestNode,
  type WorkflowCall,
} from "@thoughtflow/workflow/document";
import { oneLine, snippet } from "./clean-text.ts";
import { previewValue } from "./preview-value.ts";
import type { RenderOptions } from "./renderer.ts";
import { momentOf } from "./step-times.ts";

/** The agents of a session and their requests, as formats for graphs have them. */
export interface AgentGraph {
  readonly agents: readonly {
    readonly id: string;
    readonly label: string;
    /** Agents of one type have the same system prompt; the name where it is not known. */
    readonly type: string;
    /** What agents of the type are called; empty where nobody named them. */
    readonly name: string;
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
  /** Its place among all requests, from 0. */
  readonly place: number;
  /** Milliseconds since 1970; absent where it is not known. */
  readonly start: number | undefined;
  /** Milliseconds. */
  readonly duration: number;
  readonly isError: boolean;
  /** The first of an agent that nobody asked for. */
  readonly isRoot: boolean;
}

/** Request by request, in time; spawns lead from the request that asked to the first of the agent. */
export function agentGraph(
  session: Session,
  { run, inferred = false }: RenderOptions = {},
): AgentGraph {
  const { calls, nodes, requestNodes, requestEdges } = dagOfSessions(
    [run === undefined ? session : withRun(session, run)],
    { inferred, withResults: false },
  );
  const requests = new Map<string, AgentRequest[]>();
  for (const [at, call] of calls.entries()) {
    const node = requestNodes[at];
    if (node === undefined) continue;
    const own = requests.get(node.agent_id);
    const request = requestOf(call, node, at);
    if (own === undefined) requests.set(node.agent_id, [request]);
    else own.push(request);
  }
  return {
    agents: nodes
      .filter(({ request_count }) => request_count > 0)
      .map(({ agent_id, agent_type, name, parent_agent_id }) => ({
        id: agent_id,
        type: agent_type || (name ?? ""),
        name: name ?? "",
        parent: parent_agent_id,
        label: oneLine(name === undefined ? agent_id : `${name} (${agent_id})`),
        requests: requests.get(agent_id) ?? [],
      })),
    edges: requestEdges,
  };
}

function withRun(session: Session, run: string): Session {
  const conversations = session.conversations.filter((one) => one.conversation_id === run);
  return { ...session, conversations };
}

function requestOf(
  call: WorkflowCall,
  { id, index, timestamp, duration_ms: duration = 0, is_root: isRoot }: RequestNode,
  place: number,
): AgentRequest {
  const { payload_started: { model } = {}, status } = call.step;
  const words = [
    `${index + 1}`,
    typeof model === "string" ? model : "",
    timestamp?.slice(11, 19) ?? "",
    wordsFor(call),
  ];
  return {
    id,
    place,
    start: momentOf(timestamp),
    duration,
    isError: status === "error",
    isRoot,
    label: oneLine(words.filter((text) => text !== "").join(" · ")),
  };
}

/** The beginning of what a request answers. */
function wordsFor(call: WorkflowCall): string {
  const message = lastMessageOf(call);
  const content = message && contentOf(message);
  const { text, result } = (content ?? {}) as {
    readonly text?: unknown;
    readonly result?: unknown;
  };
  const said = text ?? result;
  return said === undefined ? "" : snippet(previewValue(said, 200), 48);
}
