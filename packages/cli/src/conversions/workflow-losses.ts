import type { WorkflowRendererName } from "@thoughtflow/render";
import type { Workflow } from "@thoughtflow/workflow/document";
import { counted } from "../quantity.ts";

/** Made for reading: what they leave out is told on their page alone. */
const PICTURES: ReadonlySet<WorkflowRendererName> = new Set(["d2", "mermaid", "svg", "gantt"]);

/** What of a workflow document a conversion leaves out, in lines for people: messages have no place in graphs and tables of requests. */
export function workflowLossLines(
  target: WorkflowRendererName,
  { entities, workflow_dag }: Workflow,
): readonly string[] {
  if (PICTURES.has(target)) return [];
  const untimed = workflow_dag.request_nodes.filter(({ timestamp }) => timestamp === undefined);
  const results = workflow_dag.edges.filter(({ type }) => type === "tool_result");
  const lost = [
    [entities.messages, "message"],
    [entities.tool_definitions, "tool definition"],
    [entities.system_prompts, "system prompt"],
    [entities.tasks, "task"],
    [entities.tool_uses, "tool use"],
    [results, "edge of tools' results"],
    [target === "perfetto" ? untimed : [], "request of no known time"],
  ] as const;
  const told = lost.flatMap(([{ length }, word]) => (length === 0 ? [] : amount(length, word)));
  if (told.length === 0) return [];
  return [`Left out: ${told.join(", ")}. Of a request its first words are there.`];
}

function amount(count: number, words: string): string {
  const [first = "", ...rest] = words.split(" of ");
  return [counted(count, first), ...rest].join(" of ");
}
