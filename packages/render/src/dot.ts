import { type AgentGraph, type AgentRequest, agentGraph } from "./agent-graph.ts";
import { oneLine } from "./clean-text.ts";
import { stateColors } from "./palette.ts";
import type { Renderer } from "./renderer.ts";
import { wrapColumns } from "./wrap-columns.ts";

/** The agents and their requests for Graphviz: a cluster an agent. */
export const dot: Renderer = {
  name: "dot",
  mediaType: "text/vnd.graphviz; charset=utf-8",
  fileExtension: ".dot",
  render: (session, options) => dotOf(agentGraph(session, options)),
};

export function dotOf({ agents, edges }: AgentGraph): string {
  return [
    "digraph workflow {",
    "  rankdir=LR;",
    '  node [shape=box, style="rounded,filled", fillcolor="#dbeafe", fontname="sans-serif"];',
    ...agents.flatMap(({ label, requests }, at) => [
      `  subgraph cluster_${at} {`,
      `    label=${dotText(label)};`,
      ...requests.map(
        (request) =>
          `    ${dotText(request.id)} [label=${dotLines(wordsOf(request))}${request.isRoot ? ROOT : ""}${hasFailed(request) ? FAILED : ""}];`,
      ),
      "  }",
    ]),
    ...edges.map((edge) => `  ${dotText(edge.source)} -> ${dotText(edge.target)}${lookOf(edge)};`),
    "}",
    "",
  ].join("\n");
}

/** A request's label, and what failed of it. */
function wordsOf({ label, isError, tools }: AgentRequest): string {
  const failed = tools.filter((one) => one.isError).map(({ name }) => name || "tool");
  const what = [...(isError ? ["failed"] : []), ...new Set(failed)].join(", ");
  return what === "" ? label : `${label} · ✗ ${what}`;
}

function hasFailed({ isError, tools }: AgentRequest): boolean {
  return isError || tools.some((one) => one.isError);
}

const FAILED = `, color="${stateColors.error}", penwidth=2`;

/** Where a tree of requests begins: teal, the others are blue. */
const ROOT = ', fillcolor="#99f6e4"';

function lookOf({ type, confidence }: AgentGraph["edges"][number]): string {
  if (type === "sequential") return ' [color="#94a3b8"]';
  const color = type === "spawn" ? "#16a34a" : "#c084fc";
  const label = type.replaceAll("_", " ");
  return ` [color="${color}", label="${label}", style=${confidence < 1 ? "dashed" : "solid"}]`;
}

/** Columns of a line in a node: requests stand side by side, and long lines would make a strip of the graph. */
const longestLine = 28;

function dotLines(text: string): string {
  const lines = wrapColumns(oneLine(text), longestLine);
  return `"${lines.map((line) => escaped(line.trim())).join("\\n")}"`;
}

function dotText(text: string): string {
  return `"${escaped(oneLine(text))}"`;
}

/** For a quoted DOT string: the quote and the backslash are all that has a meaning there. */
function escaped(text: string): string {
  return text.replace(/[\\"]/g, "\\$&");
}
