import { assemble } from "@thoughtflow/assemble";
import { workflowOfSessions } from "@thoughtflow/workflow/document";
import type { ImportFormat } from "../src/imports/import-format.ts";
import type { SourceFile } from "../src/imports/source-file.ts";
import { recordsOf } from "./imported-records.ts";

/** Who asked for whom, as a workflow document says it of what an import read. */
export interface AgentTree {
  /** `child < parent by call` by the agents' names, with a `?` where it is inferred; without the call where that is not known. */
  readonly spawns: readonly string[];
  readonly roots: readonly string[];
  readonly depth: number;
  readonly children: number;
}

export async function agentTreeOf(
  format: ImportFormat,
  files: readonly SourceFile[],
): Promise<AgentTree> {
  const { records } = await recordsOf(format, files);
  const { workflow_dag: dag } = workflowOfSessions(assemble(records), { extractionTimestamp: "" });
  const names = new Map(dag.nodes.map(({ agent_id, name = agent_id }) => [agent_id, name]));
  const nameOf = (id: string) => names.get(id) ?? `no agent ${id}`;
  const spawns = dag.edges.filter(({ type }) => type === "subagent_spawn");
  return {
    spawns: spawns.map((edge) => {
      const by = edge.spawned_by_task_id === undefined ? "" : ` by ${edge.spawned_by_task_id}`;
      const doubt = edge.origin === "inferred" ? " ?" : "";
      return `${nameOf(edge.target_agent_id)} < ${nameOf(edge.source_agent_id)}${by}${doubt}`;
    }),
    roots: dag.root_agent_ids.map(nameOf),
    depth: dag.metrics.max_depth,
    children: dag.metrics.avg_children_per_agent,
  };
}
