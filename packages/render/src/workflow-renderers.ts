import type { Workflow } from "@thoughtflow/workflow/document";
import { requestsAsCsv } from "./agent-csv.ts";
import { agentsAsD2 } from "./agent-d2.ts";
import { agentGraphOfWorkflow } from "./agent-graph.ts";
import { agentsAsMermaid } from "./agent-mermaid.ts";
import { agentsAsPerfetto } from "./agent-perfetto.ts";
import { csv } from "./csv.ts";
import { d2 } from "./d2.ts";
import { dot, dotOf } from "./dot.ts";
import { counted } from "./figures.ts";
import { gantt, ganttOf } from "./gantt.ts";
import { graphml, graphmlOf } from "./graphml.ts";
import { mermaid } from "./mermaid.ts";
import { perfetto } from "./perfetto.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";
import { momentOf } from "./step-times.ts";
import { svg } from "./svg.ts";
import type { PictureHead } from "./svg-head.ts";

/** One way to show a workflow document; see `Renderer`. */
export interface WorkflowRenderer extends Pick<Renderer, "name" | "mediaType" | "fileExtension"> {
  render(workflow: Workflow, options?: Pick<RenderOptions, "inferred">): string;
}

/** What a workflow document becomes. */
export type WorkflowRendererName =
  | "d2"
  | "svg"
  | "gantt"
  | "mermaid"
  | "dot"
  | "graphml"
  | "perfetto"
  | "csv";

/** The formats for workflow documents, by their names. */
export const workflowRenderers: Readonly<Record<WorkflowRendererName, WorkflowRenderer>> = {
  d2: {
    ...d2,
    render: (workflow, options) =>
      agentsAsD2(agentGraphOfWorkflow(workflow, options), headOf(workflow)),
  },
  svg: { ...svg, render: renderGantt },
  gantt: { ...gantt, render: renderGantt },
  mermaid: {
    ...mermaid,
    render: (workflow, options) => agentsAsMermaid(agentGraphOfWorkflow(workflow, options)),
  },
  dot: {
    ...dot,
    render: (workflow, options) => dotOf(agentGraphOfWorkflow(workflow, options)),
  },
  graphml: {
    ...graphml,
    render: (workflow, options) => graphmlOf(agentGraphOfWorkflow(workflow, options)),
  },
  perfetto: {
    ...perfetto,
    render: (workflow, options) =>
      agentsAsPerfetto(agentGraphOfWorkflow(workflow, options), headOf(workflow).title),
  },
  csv: { ...csv, render: requestsAsCsv },
};

function renderGantt(workflow: Workflow, options?: Pick<RenderOptions, "inferred">): string {
  return ganttOf(agentGraphOfWorkflow(workflow, options), headOf(workflow));
}

function headOf({ metadata, workflow_dag: { nodes } }: Workflow): PictureHead {
  const { sessions, summary } = metadata;
  const [only = "", ...others] = sessions;
  return {
    title: `Who talked to whom in ${others.length === 0 ? only : counted(sessions.length, "session")}`,
    figures: [counted(summary.agent_tracking.total_requests, "request")],
    state: "ok",
    id: sessions.join(" "),
    start: momentOf(firstOf(nodes)),
    facts: [],
  };
}

function firstOf(nodes: Workflow["workflow_dag"]["nodes"]): string | undefined {
  return nodes.flatMap(({ first_timestamp: first }) => first ?? []).sort()[0];
}
