import type { Session } from "@thoughtflow/schema";
import { agentGraph } from "./agent-graph.ts";
import { agentsAsMermaid } from "./agent-mermaid.ts";
import { type FlowEdge, type FlowGraph, flowGraph, type LineStyle } from "./flow-graph.ts";
import { boxHeading, edgeLabel, foldedLabel, laneLabel } from "./flow-labels.ts";
import type { FlowBox, FlowLane } from "./flow-lanes.ts";
import { classes, linkStyles, maxCharacters, maxEdges, quoted } from "./mermaid-source.ts";
import { lineColors } from "./palette.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";
import { showsAgents } from "./shows-agents.ts";
import { kindOf } from "./step-kind.ts";
import { stepState } from "./step-state.ts";
import { stepSummary } from "./step-summary.ts";

/**
 * The session as a Mermaid flowchart, which code hosts draw in Markdown; of too many steps for that, with several agents, these and who asked for whom. It stays below the limits with which
 * they run Mermaid: 500 edges and 50,000 characters.
 */
export const mermaid: Renderer = {
  name: "mermaid",
  mediaType: "text/vnd.mermaid",
  fileExtension: ".mmd",
  render: renderMermaid,
};

function renderMermaid(session: Session, options: RenderOptions = {}): string {
  const graph = flowGraph(session, options);
  if (showsAgents(session, graph, options)) return agentsAsMermaid(agentGraph(session, options));
  const full = draw(graph, 60);
  return full.length <= maxCharacters ? full : draw(graph, 0);
}

function draw(graph: FlowGraph, summaryLength: number): string {
  const edges = graph.edges.slice(0, maxEdges);
  const lines = [
    "flowchart TD",
    ...graph.lanes.flatMap((lane) => laneLines(lane, summaryLength)),
    ...edges.map(edgeLine),
    ...linkStyles(edges),
    ...classes,
  ];
  return `${lines.join("\n")}\n`;
}

function laneLines(lane: FlowLane, summaryLength: number): readonly string[] {
  const [name = "", ...figures] = laneLabel(lane);
  if (lane.folded || lane.boxes.length === 0) {
    return [`  ${lane.id}[${quoted([name, ...figures])}]:::folded`];
  }
  // Only the first line of a subgraph's title has room of its own; without a direction a run alone is laid sideways.
  return [
    `  subgraph ${lane.id} [${quoted([name])}]`,
    "    direction TB",
    ...lane.boxes.map((box) => boxLine(box, summaryLength)),
    "  end",
    `  style ${lane.id} fill:none,stroke:${lineColors.order}`,
  ];
}

function boxLine(box: FlowBox, summaryLength: number): string {
  const { step } = box;
  if (step === undefined) return `    ${box.id}[${quoted([foldedLabel(box)])}]:::folded`;
  const summary = summaryLength === 0 ? [] : [stepSummary(step, summaryLength)];
  const state = stepState(step);
  const kind = state === "error" ? "error" : box.revisedBy === undefined ? kindOf(step) : "revised";
  return `    ${box.id}(${quoted([boxHeading(box), ...summary])}):::${kind}`;
}

const arrows: Readonly<Record<LineStyle, string>> = {
  declared: "==>",
  observed: "-->",
  inferred: "-.->",
  order: "-.->",
};

function edgeLine(edge: FlowEdge): string {
  const label = edgeLabel(edge);
  const between = label === "" ? " " : `|${quoted([label])}| `;
  const [from, to] = [edge.from, edge.to].map(({ lane, box }) => box?.id ?? lane.id);
  return `  ${from} ${arrows[edge.style]}${between}${to}`;
}
