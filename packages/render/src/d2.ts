import type { Session } from "@thoughtflow/schema";
import { agentsAsD2 } from "./agent-d2.ts";
import { agentGraph } from "./agent-graph.ts";
import { snippet } from "./clean-text.ts";
import { d2Classes } from "./d2-classes.ts";
import { d2String, d2Tooltip } from "./d2-text.ts";
import { type FlowEdge, type FlowEnd, flowGraph } from "./flow-graph.ts";
import { boxLabel, edgeLabel, laneLabel } from "./flow-labels.ts";
import type { FlowBox, FlowLane } from "./flow-lanes.ts";
import { sessionFigures, sessionTitle } from "./flow-title.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";
import { showsAgents } from "./shows-agents.ts";
import { kindOf } from "./step-kind.ts";
import { flowState, type State, stepState } from "./step-state.ts";
import { headOf } from "./svg-head.ts";

/**
 * The session as D2 source: a container a run, in it its steps, and arrows from what is rested on to what rests
 * on it; of too many steps for that, with several agents, these and who asked for whom. Keys are generated, and texts stand only in quoted labels and tooltips.
 */
export const d2: Renderer = {
  name: "d2",
  mediaType: "text/plain; charset=utf-8",
  fileExtension: ".d2",
  render: renderD2,
};

function renderD2(session: Session, options: RenderOptions = {}): string {
  const graph = flowGraph(session, options);
  if (showsAgents(session, graph, options))
    return agentsAsD2(agentGraph(session, options), headOf(session));
  const lines = [
    `# ${sessionTitle(session)}`,
    `# ThoughtFlow session ${snippet(session.session_id, 200)}: ${sessionFigures(session).join(", ")}`,
  ];
  if (graph.omittedEdges > 0) lines.push(`# ${graph.omittedEdges} more edges are not drawn`);
  lines.push(d2Classes);
  for (const lane of graph.lanes) lines.push(...laneLines(lane));
  lines.push("");
  for (const edge of graph.edges) lines.push(edgeLine(edge));
  return `${lines.join("\n")}\n`;
}

function laneLines(lane: FlowLane): readonly string[] {
  const [run] = lane.runs;
  const state = run === undefined || lane.count > 1 ? "ok" : flowState(run);
  const lines = ["", `${lane.id}: {`, `  label: ${d2String(laneLabel(lane).join("\n"))}`];
  if (!lane.folded) lines.push("  label.near: outside-top-left");
  lines.push(`  class: [${lane.folded ? "folded" : "run"}${unlessOk(state)}]`);
  for (const box of lane.boxes) lines.push(boxText(box));
  lines.push("}");
  return lines;
}

function boxText(box: FlowBox): string {
  const label = `  ${box.id}: {\n    label: ${d2String(boxLabel(box).join("\n"))}`;
  if (box.step === undefined) return `${label}\n    class: [folded]\n  }`;
  const revised = box.revisedBy === undefined ? "" : "; revised";
  const classes = `${kindOf(box.step)}${revised}${unlessOk(stepState(box.step))}`;
  return `${label}\n    tooltip: ${d2Tooltip(box.words.tooltip)}\n    class: [${classes}]\n  }`;
}

function unlessOk(state: State): string {
  return state === "ok" ? "" : `; ${state}`;
}

function edgeLine(edge: FlowEdge): string {
  const label = edgeLabel(edge);
  const arrow = `${pathOf(edge.from)} -> ${pathOf(edge.to)}`;
  return `${arrow}: ${label === "" ? "" : `${d2String(label)} `}{ class: ${edge.style} }`;
}

function pathOf({ lane, box }: FlowEnd): string {
  return box === undefined ? lane.id : `${lane.id}.${box.id}`;
}
