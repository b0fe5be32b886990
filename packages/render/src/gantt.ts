import { agentKinds } from "./agent-boxes.ts";
import { type AgentGraph, type AgentRequest, agentGraph } from "./agent-graph.ts";
import { oneLine, snippet } from "./clean-text.ts";
import { counted } from "./figures.ts";
import { arrowLooks, arrowStyle, arrowsOf, type Place } from "./gantt-arrows.ts";
import {
  barHeight,
  compactionLines,
  failureLines,
  heightOf,
  laneHeight,
  laneLines,
  leastBar,
  widthOfLabels,
} from "./gantt-bars.ts";
import { linesSeen, timesOf } from "./gantt-gaps.ts";
import { type Lane, lanesOf } from "./gantt-lanes.ts";
import { legendOf } from "./gantt-legend.ts";
import { turnLines, turnStyle } from "./gantt-turns.ts";
import { hues, stateColors } from "./palette.ts";
import type { Renderer } from "./renderer.ts";
import type { TimeSpan } from "./step-times.ts";
import { arrowHeadsOf } from "./svg-arrows.ts";
import { axisHeight, axisOf } from "./svg-axis.ts";
import { headLines, headOf, inOrder, type PictureHead } from "./svg-head.ts";
import { svgStyle } from "./svg-style.ts";
import { svgText } from "./svg-text.ts";
import { timeScale } from "./time-scale.ts";

/**
 * The agents of a session as a timeline: a lane an agent, below the one that asked for it, a bar a request to the model, coloured
 * by the type of agent, a line while its tools are at work, a cross where one failed, and arrows from the requests that asked for an agent to its first, dashed where that is
 * inferred. What has no times has no bars; where none has, or all the same, the bars stand in their order.
 */
export const gantt: Renderer = {
  name: "gantt",
  mediaType: "image/svg+xml",
  fileExtension: ".gantt.svg",
  render: (session, options) => ganttOf(agentGraph(session, options), headOf(session)),
};

type Agent = AgentGraph["agents"][number];

const margin = 24;
/** Room for labels, the least and the most. */
const [leastGutter, mostGutter] = [270, 380];
/** Above the axis. */
const headHeight = 78;
const leastWidth = 760;
const mostWidth = 2_600;

const colors = agentKinds.map((kind) => hues[kind]);
const sharedColor = colors.length - 1;

export function ganttOf(graph: AgentGraph, head: PictureHead): string {
  const { agents, edges, turns } = graph;
  const requests = agents.flatMap((agent) => agent.requests);
  const inTime = requests.flatMap((one) => spanOf(one) ?? []);
  const isMeasured = new Set(inTime.flatMap(({ start, end }) => [start, end])).size > 1;
  const spanFor = isMeasured ? spanOf : placeOf;
  const toolsInTime = isMeasured ? requests.flatMap(({ tools }) => tools.flatMap(timesOf)) : [];
  const timed = isMeasured ? inTime : requests.map(placeOf);
  const room = Math.min(mostWidth, Math.max(leastWidth, timed.length * 8));
  const scale = timeScale([...timed, ...toolsInTime], room);
  const lanes = lanesOf(graph, spanFor);
  const gutter = Math.ceil(Math.min(mostGutter, Math.max(leastGutter, widthOfLabels(lanes) + 16)));
  const chartLeft = margin + gutter;
  const at = (moment: number): number => chartLeft + scale.x(moment);

  const chartTop = headHeight + (isMeasured ? axisHeight(scale) : laneHeight / 2);
  const top = chartTop + (turns.length > 0 ? laneHeight : 0);
  const tops: number[] = [];
  let bottom = top;
  const places = new Map<string, Place>();
  for (const lane of lanes) {
    // A crowd's arrow leads to where its area begins to rise.
    const y = bottom + (lane.atOnce === undefined ? laneHeight / 2 : heightOf(lane) - 8);
    tops.push(bottom);
    bottom += heightOf(lane);
    for (const request of lane.agents.flatMap((agent) => agent.requests)) {
      const span = spanFor(request);
      if (span === undefined) continue;
      const left = at(span.start);
      const right = Math.max(left + leastBar, at(span.end));
      places.set(request.id, { left, right, y });
    }
  }
  const width = Math.ceil(margin * 2 + gutter + room);
  const chart = { left: chartLeft, right: width - 6, top: chartTop - 4, bottom };
  const turnsPlace = { left: margin, right: chart.right, y: top - laneHeight / 2, bottom };
  const arrows = arrowsOf(edges.filter(isDrawn(lanes)), places, barHeight);
  const types = typesOf(agents);
  const drawing = {
    places,
    hueOf: types.hueOf,
    toolsAt: isMeasured ? at : undefined,
    margin,
    gutter,
  };
  const single = lanes.flatMap((lane) => (lane.atOnce === undefined ? lane.agents : []));
  const drawn = single.flatMap((agent) => agent.requests);
  const tools = drawn.flatMap((request) => request.tools);
  const lines = single.map((agent) => linesSeen(agent, places, drawing.toolsAt));
  const shown = {
    hasTurns: turns.length > 0,
    arrows,
    colors: types.names,
    hasFailedRequests: drawn.some(({ isError }) => isError),
    hasTools: lines.some((seen) => seen.tools),
    hasPauses: lines.some((seen) => seen.pauses),
    hasFailedTools: tools.some(({ isError }) => isError),
    hasCompactions: drawn.some((one) => one.isAfterCompaction || one.isBeforeCompaction),
    hasWaits: isMeasured && scale.breaks.length > 0,
  };
  const legend = legendOf(shown, bottom + 26, width);
  const height = Math.ceil(legend.bottom + 22);
  const figures = [counted(agents.length, "agent"), ...head.figures];
  const missing = requests.length === 0 ? "no model was asked" : isMeasured ? "" : inOrder;
  const facts = [...head.facts, ...(missing === "" ? [] : [missing])];
  const start = (isMeasured ? scale.start : undefined) ?? head.start;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${svgText(head.title)}</title>`,
    `<desc>${svgText(figures.join(", "))}</desc>`,
    `<style>${svgStyle}${style}</style>`,
    `<defs>${arrowHeadsOf(arrowLooks)}</defs>`,
    `<rect class="ground" width="${width}" height="${height}" rx="8"/>`,
    ...headLines({ ...head, start, figures, facts }, width),
    ...(isMeasured ? axisOf(scale, chart) : []),
    ...(turns.length > 0 ? turnLines(turns, places, turnsPlace) : []),
    ...arrows.map(({ line }) => line),
    ...lanes.map((lane, row) => laneLines(lane, tops[row] ?? top, drawing)),
    ...lanes.flatMap((lane) => failureLines(lane, drawing)),
    ...lanes.flatMap((lane) => compactionLines(lane, drawing)),
    ...legend.lines,
    "</svg>",
    "",
  ].join("\n");
}

/** An arrow to an agent behind others in its lane would lead through them: the first one's stands for all. In a crowd there is none. */
function isDrawn(lanes: readonly Lane[]): (edge: AgentGraph["edges"][number]) => boolean {
  const hidden = new Set<string>();
  const crowds = new Map<string, Lane>();
  for (const lane of lanes)
    for (const [place, { requests }] of lane.agents.entries())
      for (const { id } of requests) {
        if (place > 0) hidden.add(id);
        if (lane.atOnce !== undefined) crowds.set(id, lane);
      }
  return ({ type, source, target }) => {
    const crowd = crowds.get(target);
    if (crowd !== undefined && crowd === crowds.get(source)) return false;
    return type !== "spawn" || !hidden.has(target);
  };
}

/** The colours of types of agents, each called what its first agent is; those for which none is left share one. */
function typesOf(agents: readonly Agent[]): {
  readonly names: readonly string[];
  hueOf(agent: Agent): number;
} {
  const names = new Map<string, string>();
  for (const { type, name } of agents) if (!names.has(type)) names.set(type, oneLine(name || type));
  const places = new Map([...names.keys()].map((type, place) => [type, place]));
  const counts = new Map<string, number>();
  const all = [...names.values()].map((known) => {
    const name = known || "agent";
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    // Of one name and two system prompts.
    return count === 1 ? name : `${snippet(name, 40)} (${count})`;
  });
  const others = all.length - sharedColor;
  return {
    names: others > 1 ? [...all.slice(0, sharedColor), `${others} other types`] : all,
    hueOf: ({ type }) => Math.min(places.get(type) ?? 0, sharedColor),
  };
}

function spanOf({ start, duration }: AgentRequest): TimeSpan | undefined {
  return start === undefined ? undefined : { start, end: start + duration, open: false };
}

/** Where times tell nothing: one request after the other. */
function placeOf({ place }: AgentRequest): TimeSpan {
  return { start: place, end: place + 0.8, open: false };
}

const style = `${colors.map(({ fill, stroke }, at) => `.a${at}{fill:${fill};stroke:${stroke};stroke-width:.8}`).join("")}.other{fill:none}.life{stroke:#94a3b8;stroke-width:1;stroke-dasharray:1 3}.tools{fill:none;stroke:${hues.tool.stroke};stroke-width:3;opacity:.55}.cross{fill:none;stroke:${stateColors.error};stroke-width:2}.error{stroke:${stateColors.error};stroke-width:1.6}${turnStyle}${arrowStyle.light}@media (prefers-color-scheme: dark){${colors.map(({ darkFill }, at) => `.a${at}{fill:${darkFill}}`).join("")}.cross,.error{stroke:#f87171}${arrowStyle.dark}}`;
