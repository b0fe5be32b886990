import { agentBoxes } from "./agent-boxes.ts";
import type { AgentGraph } from "./agent-graph.ts";
import { classes, linkStyles, maxCharacters, maxEdges, quoted } from "./mermaid-source.ts";

/** The agents of a workflow as a Mermaid flowchart, within the limits with which code hosts run it: of more agents the first. */
export function agentsAsMermaid(graph: AgentGraph): string {
  const { boxes, arrows, isWide } = agentBoxes(graph);
  let room = maxCharacters - classes.join("\n").length;
  const shown = new Set<string>();
  const lines: string[] = [];
  for (const { key, lines: words, kind } of boxes) {
    const line = `  ${key}(${quoted(words)}):::${kind}`;
    room -= line.length + 1;
    // As much again for what leads to it.
    if (room < maxCharacters / 2 && shown.size > 0) break;
    shown.add(key);
    lines.push(line);
  }
  const drawn = arrows
    .filter(({ from, to }) => shown.has(from) && shown.has(to))
    .slice(0, maxEdges);
  for (const { from, to, words, style } of drawn)
    lines.push(`  ${from} ${style === "inferred" ? "-.->" : "-->"}|${quoted([words])}| ${to}`);
  return `${[`flowchart ${isWide ? "LR" : "TD"}`, ...lines, ...linkStyles(drawn), ...classes].join("\n")}\n`;
}
