import type { Session } from "@thoughtflow/schema";
import { snippet } from "./clean-text.ts";
import { d2Classes } from "./d2-classes.ts";
import { d2String, d2Tooltip } from "./d2-text.ts";
import { type FlowEdge, type FlowEnd, flowGraph } from "./flow-graph.ts";
import { boxLabel, edgeLabel, laneLabel } from "./flow-labels.ts";
import type { FlowBox, FlowLane } from "./flow-lanes.ts";
import { sessionFigures, sessionTitle } from "./flow-title.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";
import { stepDetails } from "./step-details.ts";
import { kindOf } from "./step-kind.ts";
import { flowState, stepState } from "./step-state.ts";

/**
 * The session as D2 source: a container a run, in it its steps, and arrows from what is rested on to what rests
 * on it. Keys are generated, and texts stand only in quoted labels and tooltips.
 */
export const d2: Renderer = {
  name: "d2",
  mediaType: "text/plain; charset=utf-8",
  fileExtension: ".d2",
  render: renderD2,
};

function renderD2(session: Session, options: RenderOptions = {}): string {
  const graph = flowGraph(session, options);
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
  const state = run === undefined || lane.runs.length > 1 ? "ok" : flowState(run);
  const classes = [lane.folded ? "folded" : "run", ...(state === "ok" ? [] : [state])];
  return [
    "",
    `${lane.id}: {`,
    `  label: ${d2String(laneLabel(lane).join("\n"))}`,
    ...(lane.folded ? [] : ["  label.near: outside-top-left"]),
    `  class: [${classes.join("; ")}]`,
    ...lane.boxes.flatMap(boxLines),
    "}",
  ];
}

function boxLines(box: FlowBox): readonly string[] {
  const [step, ...others] = box.steps;
  if (step === undefined) return [];
  const folded = others.length > 0;
  const state = stepState(step);
  const classes = folded
    ? ["folded"]
    : [
        kindOf(step),
        ...(box.revisedBy === undefined ? [] : ["revised"]),
        ...(state === "ok" ? [] : [state]),
      ];
  const details = stepDetails(step).map(([name, value]) => `${name}: ${value}`);
  return [
    `  ${box.id}: {`,
    `    label: ${d2String(boxLabel(box).join("\n"))}`,
    ...(folded ? [] : [`    tooltip: ${d2Tooltip(details.join("\n"))}`]),
    `    class: [${classes.join("; ")}]`,
    "  }",
  ];
}

function edgeLine(edge: FlowEdge): string {
  const label = edgeLabel(edge);
  const arrow = `${pathOf(edge.from)} -> ${pathOf(edge.to)}`;
  return `${arrow}: ${label === "" ? "" : `${d2String(label)} `}{ class: ${edge.style} }`;
}

function pathOf({ lane, box }: FlowEnd): string {
  return box === undefined ? lane.id : `${lane.id}.${box.id}`;
}
