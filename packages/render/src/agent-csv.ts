import type { Workflow } from "@thoughtflow/workflow/document";
import { wordsOfContent } from "./agent-graph.ts";
import { csvText } from "./csv.ts";

const COLUMNS = [
  "session_id",
  "run_id",
  "agent_id",
  "agent_name",
  "agent_type",
  "parent_agent_id",
  "request",
  "request_id",
  "index",
  "is_root",
  "asked_by",
  "model",
  "status",
  "timestamp",
  "duration_ms",
  "input_tokens",
  "output_tokens",
  "is_after_compaction",
  "is_before_compaction",
  "summary",
] as const;

/** The requests of a workflow as a table; `asked_by` is the request in which an agent's first was asked for. */
export function requestsAsCsv({ entities, workflow_dag }: Workflow): string {
  const agents = new Map(workflow_dag.nodes.map((node) => [node.agent_id, node]));
  const requests = new Map(entities.api_requests.map((one) => [one.id, one]));
  const contents = new Map(entities.messages.map(({ id, content }) => [id, content]));
  const askedBy = new Map<string, string>();
  for (const { type, source, target } of workflow_dag.request_edges)
    if (type === "spawn") askedBy.set(target, source);
  const rows = workflow_dag.request_nodes.map((node): readonly unknown[] => {
    const agent = agents.get(node.agent_id);
    const request = requests.get(node.request_id);
    const { input_tokens, output_tokens } = (request?.usage ?? {}) as Record<string, unknown>;
    return [
      request?.session_id,
      request?.run_id,
      node.agent_id,
      agent?.name,
      agent?.agent_type,
      agent?.parent_agent_id,
      node.id,
      node.request_id,
      node.index,
      node.is_root,
      askedBy.get(node.id),
      request?.model,
      request?.status,
      node.timestamp,
      node.duration_ms,
      countOf(input_tokens),
      countOf(output_tokens),
      node.is_after_compaction,
      node.is_before_compaction,
      wordsOfContent(contents.get(request?.input ?? "")),
    ];
  });
  return csvText([COLUMNS, ...rows]);
}

/** A document may have been written by another program. */
function countOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
