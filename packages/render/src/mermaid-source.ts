import { snippet } from "./clean-text.ts";
import type { FlowEdge, LineStyle } from "./flow-graph.ts";
import { mermaidText } from "./mermaid-text.ts";
import { hues, lineColors, stateColors } from "./palette.ts";
import { stepKinds } from "./step-kind.ts";

/** With more edges code hosts do not run Mermaid. */
export const maxEdges = 500;
/** They take 50,000. */
export const maxCharacters = 48_000;

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

/** The end of every flowchart. */
export const classes: readonly string[] = [
  ...stepKinds.map((kind) => {
    const { fill, stroke, text } = hues[kind];
    return `  classDef ${kind} fill:${fill},stroke:${stroke},color:${text}`;
  }),
  `  classDef error fill:${hues.tool.fill},stroke:${stateColors.error},stroke-width:3px,color:${hues.tool.text}`,
  `  classDef revised fill:none,stroke:${hues.thought.stroke},stroke-dasharray:3,color:${lineColors.order}`,
  `  classDef folded fill:none,stroke:${lineColors.order},stroke-dasharray:4`,
];

/** A label of these lines. */
export function quoted(lines: readonly string[]): string {
  const texts = lines.map((line) => mermaidText(snippet(line, 120))).filter((line) => line !== "");
  return `"${texts.join("<br/>")}"`;
}
