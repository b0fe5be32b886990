import type { Session } from "@thoughtflow/schema";
import { snippet } from "./clean-text.ts";
import { type FlowEdge, type FlowGraph, flowGraph, type LineStyle } from "./flow-graph.ts";
import { boxHeading, edgeLabel, foldedLabel, laneLabel } from "./flow-labels.ts";
import type { FlowBox, FlowLane } from "./flow-lanes.ts";
import { mermaidText } from "./mermaid-text.ts";
import { hues, lineColors, stateColors } from "./palette.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";
import { kindOf, stepKinds } from "./step-kind.ts";
import { stepState } from "./step-state.ts";
import { stepSummary } from "./step-summary.ts";

/**
 * The session as a Mermaid flowchart, which code hosts draw in Markdown. It stays below the limits with which
 * they run Mermaid: 500 edges and 50,000 characters.
 */
export const mermaid: Renderer = {
  name: "mermaid",
  mediaType: "text/vnd.mermaid",
  fileExtension: ".mmd",
  render: renderMermaid,
};

export const maxEdges = 500;
export const maxCharacters = 48_000;

function renderMermaid(session: Session, options: RenderOptions = {}): string {
  const graph = flowGraph(session, options);
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

/** How the lines look that are drawn in this order. */
export function linkStyles(edges: readonly Pick<FlowEdge, "style">[]): readonly string[] {
  const styles = ["declared", "observed", "inferred", "order"] as const;
  return styles.flatMap((style) => linkStyle(edges, style));
}

function linkStyle(edges: readonly Pick<FlowEdge, "style">[], style: LineStyle): readonly string[] {
  const places = [...edges.keys()].filter((at) => edges[at]?.style === style);
  const width = style === "declared" ? 3 : style === "order" ? 1 : 2;
  if (places.length === 0) return [];
  return [`  linkStyle ${places.join(",")} stroke:${lineColors[style]},stroke-width:${width}px`];
}

export const classes: readonly string[] = [
  ...stepKinds.map((kind) => {
    const { fill, stroke, text } = hues[kind];
    return `  classDef ${kind} fill:${fill},stroke:${stroke},color:${text}`;
  }),
  `  classDef error fill:${hues.tool.fill},stroke:${stateColors.error},stroke-width:3px,color:${hues.tool.text}`,
  `  classDef revised fill:none,stroke:${hues.thought.stroke},stroke-dasharray:3,color:${lineColors.order}`,
  `  classDef folded fill:none,stroke:${lineColors.order},stroke-dasharray:4`,
];

export function quoted(lines: readonly string[]): string {
  const texts = lines.map((line) => mermaidText(snippet(line, 120))).filter((line) => line !== "");
  return `"${texts.join("<br/>")}"`;
}
