import { agentBoxes } from "./agent-boxes.ts";
import type { AgentGraph } from "./agent-graph.ts";
import { snippet } from "./clean-text.ts";
import { d2Classes } from "./d2-classes.ts";
import { d2String, d2Tooltip } from "./d2-text.ts";
import { factsOf, type PictureHead } from "./svg-head.ts";

/** The agents of a workflow as D2 source: a box an agent, and arrows to those that it asked for. */
export function agentsAsD2(graph: AgentGraph, head: PictureHead): string {
  const { boxes, arrows, isWide } = agentBoxes(graph);
  const lines = [
    `# ${snippet(head.title, 200)}`,
    `# ${snippet([...factsOf(head), ...head.figures].join(", "), 400)}`,
    isWide ? d2Classes.replace("direction: down", "direction: right") : d2Classes,
    "",
    ...boxes.map(
      ({ key, lines: words, id, kind }) =>
        `${key}: {\n  label: ${d2String(words.join("\n"))}\n  tooltip: ${d2Tooltip(id)}\n  class: [${kind}]\n}`,
    ),
    "",
    ...arrows.map(
      ({ from, to, words, style }) => `${from} -> ${to}: ${d2String(words)} { class: ${style} }`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}
