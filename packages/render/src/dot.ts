import type { Session } from "@thoughtflow/schema";
import { agentGraph } from "./agent-graph.ts";
import { oneLine } from "./clean-text.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";

/** The agents and their requests for Graphviz: a cluster an agent. */
export const dot: Renderer = {
  name: "dot",
  mediaType: "text/vnd.graphviz; charset=utf-8",
  fileExtension: ".dot",
  render: renderDot,
};

function renderDot(session: Session, options: RenderOptions = {}): string {
  const { agents, edges } = agentGraph(session, options);
  return [
    "digraph workflow {",
    "  rankdir=LR;",
    '  node [shape=box, style="rounded,filled", fillcolor="#e0e7ff", fontname="sans-serif"];',
    ...agents.flatMap(({ label, requests }, at) => [
      `  subgraph cluster_${at} {`,
      `    label=${dotText(label)};`,
      ...requests.map(({ id, label: text }) => `    ${dotText(id)} [label=${dotText(text)}];`),
      "  }",
    ]),
    ...edges.map(
      ({ source, target, type, confidence }) =>
        `  ${dotText(source)} -> ${dotText(target)}${type === "spawn" ? ` [color="#16a34a", label="spawn", style=${confidence < 1 ? "dashed" : "solid"}]` : ' [color="#94a3b8"]'};`,
    ),
    "}",
    "",
  ].join("\n");
}

/** Any text as a quoted DOT string: the quote and the backslash are all that has a meaning there. */
function dotText(text: string): string {
  return `"${oneLine(text).replace(/[\\"]/g, "\\$&")}"`;
}
