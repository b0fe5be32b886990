import { agentKinds } from "./agent-boxes.ts";
import { type AgentGraph, type AgentRequest, agentGraph } from "./agent-graph.ts";
import { oneLine, snippet } from "./clean-text.ts";
import { counted, formatDuration } from "./figures.ts";
import { arrowLooks, arrowStyle, arrowsOf, type Place } from "./gantt-arrows.ts";
import { type Lane, lanesOf } from "./gantt-lanes.ts";
import { cross, legendOf } from "./gantt-legend.ts";
import { hues, stateColors } from "./palette.ts";
import type { Renderer } from "./renderer.ts";
import type { TimeSpan } from "./step-times.ts";
import { arrowHeadsOf } from "./svg-arrows.ts";
import { axisHeight, axisOf } from "./svg-axis.ts";
import { headLines, headOf, inOrder, type PictureHead } from "./svg-head.ts";
import { n } from "./svg-number.ts";
import { svgStyle } from "./svg-style.ts";
import { fitPixels, svgText } from "./svg-text.ts";
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
const gutter = 270;
const indent = 14;
/** Above the axis. */
const headHeight = 78;
const laneHeight = 20;
const barHeight = 13;
/** Bars a pixel wide are still seen. */
const leastBar = 1.5;
const fontSize = 11;
const leastWidth = 760;
const mostWidth = 2_600;
const chartLeft = margin + gutter;

const colors = agentKinds.map((kind) => hues[kind]);
const sharedColor = colors.length - 1;

export function ganttOf(graph: AgentGraph, head: PictureHead): string {
  const { agents, edges } = graph;
  const requests = agents.flatMap((agent) => agent.requests);
  const inTime = requests.flatMap((one) => spanOf(one) ?? []);
  const isMeasured = new Set(inTime.flatMap(({ start, end }) => [start, end])).size > 1;
  const spanFor = isMeasured ? spanOf : placeOf;
  const toolsInTime = isMeasured ? requests.flatMap(({ tools }) => tools.flatMap(timesOf)) : [];
  const timed = isMeasured ? inTime : requests.map(placeOf);
  const room = Math.min(mostWidth, Math.max(leastWidth, timed.length * 8));
  const scale = timeScale([...timed, ...toolsInTime], room);
  const at = (moment: number): number => chartLeft + scale.x(moment);

  const top = headHeight + (isMeasured ? axisHeight(scale) : laneHeight / 2);
  const lanes = lanesOf(graph, spanFor);
  const bottom = top + lanes.length * laneHeight;
  const places = new Map<string, Place>();
  for (const [row, lane] of lanes.entries()) {
    for (const request of lane.agents.flatMap((agent) => agent.requests)) {
      const span = spanFor(request);
      if (span === undefined) continue;
      const left = at(span.start);
      const right = Math.max(left + leastBar, at(span.end));
      places.set(request.id, { left, right, y: top + (row + 0.5) * laneHeight });
    }
  }
  const width = Math.ceil(margin * 2 + gutter + room);
  const chart = { left: chartLeft, right: width - 6, top: top - 4, bottom };
  const arrows = arrowsOf(edges.filter(isDrawn(lanes)), places, barHeight);
  const types = typesOf(agents);
  const drawing = { places, hueOf: types.hueOf, toolsAt: isMeasured ? at : undefined };
  const failed = requests.flatMap(({ tools }) => tools.filter(({ isError }) => isError));
  const shown = {
    arrows,
    colors: types.names,
    hasFailedRequests: requests.some(({ isError }) => isError),
    hasTools: toolsInTime.length > 0,
    hasFailedTools: failed.length > 0,
    hasWaits: scale.breaks.length > 0,
  };
  const legend = legendOf(shown, bottom + 26, width);
  const height = Math.ceil(legend.bottom + 22);
  const figures = [counted(agents.length, "agent"), ...head.figures];
  const isInOrder = !isMeasured && requests.length > 0;
  const facts = [...head.facts, ...(isInOrder ? [inOrder] : [])];
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
    ...lanes.map((lane, row) => laneLines(lane, top + (row + 0.5) * laneHeight, drawing)),
    ...arrows.map(({ line }) => line),
    ...requests.flatMap((request) => failureLines(request, drawing)),
    ...legend.lines,
    "</svg>",
    "",
  ].join("\n");
}

/** An arrow to an agent behind others in its lane would lead through them: the first one's stands for all. */
function isDrawn(lanes: readonly Lane[]): (edge: AgentGraph["edges"][number]) => boolean {
  const behind = lanes.flatMap(({ agents: [, ...others] }) => others);
  const hidden = new Set(behind.flatMap(({ requests }) => requests.map(({ id }) => id)));
  return ({ type, target }) => type !== "spawn" || !hidden.has(target);
}

/** Where and how what lanes hold is drawn. */
interface Drawing {
  readonly places: ReadonlyMap<string, Place>;
  readonly hueOf: (agent: Agent) => number;
  /** From time to pixels; absent where tools have no times. */
  readonly toolsAt: ((moment: number) => number) | undefined;
}

/** The colours of types of agents, each called what its first agent is; those for which none is left share one. */
function typesOf(agents: readonly Agent[]): {
  readonly names: readonly string[];
  hueOf(agent: Agent): number;
} {
  const names = new Map<string, string>();
  for (const { type, name } of agents) if (!names.has(type)) names.set(type, oneLine(name || type));
  const places = new Map([...names.keys()].map((type, place) => [type, place]));
  const all = [...names.values()].map((name) => name || "agent");
  const others = all.length - sharedColor;
  return {
    names: others > 1 ? [...all.slice(0, sharedColor), `${others} other types`] : all,
    hueOf: ({ type }) => Math.min(places.get(type) ?? 0, sharedColor),
  };
}

function laneLines({ agents, label, title, depth }: Lane, y: number, drawing: Drawing): string {
  const x = margin + Math.min(depth, 6) * indent;
  const words = fitPixels(snippet(label, 80), gutter - 16 - (x - margin), fontSize);
  const text =
    label === ""
      ? ""
      : `<text x="${n(x)}" y="${n(y + 4)}">${svgText(words)}${tooltip(title)}</text>`;
  return text + agents.map((agent) => agentLines(agent, y, drawing, agents.length > 1)).join("");
}

function agentLines(
  agent: Agent,
  y: number,
  { places, hueOf, toolsAt }: Drawing,
  isOneOfMany: boolean,
): string {
  const own = agent.requests.flatMap(({ id }) => places.get(id) ?? []);
  const left = own.reduce((least, place) => Math.min(least, place.left), Infinity);
  const right = own.reduce((most, place) => Math.max(most, place.right), -Infinity);
  const life = own.length < 2 ? "" : `<path class="life" d="M${n(left)} ${n(y)}H${n(right)}"/>`;
  const tools = toolsAt === undefined ? "" : toolsLine(agent, y, toolsAt);
  const bars = agent.requests.map((request) => {
    const at = places.get(request.id);
    if (at === undefined) return "";
    const classes = request.isError ? `a${hueOf(agent)} error` : `a${hueOf(agent)}`;
    const told = isOneOfMany ? `${agent.label} · ${requestWords(request)}` : requestWords(request);
    return `<rect class="${classes}" x="${n(at.left)}" y="${n(y - barHeight / 2)}" width="${n(at.right - at.left)}" height="${barHeight}" rx="2">${tooltip(told)}</rect>`;
  });
  return `${life}${tools}${bars.join("")}`;
}

/** When at least one of an agent's tools was at work. */
function toolsLine({ requests }: Agent, y: number, at: (moment: number) => number): string {
  const spans = requests.flatMap(({ tools }) => tools.flatMap(timesOf));
  if (spans.length === 0) return "";
  const stretches: { left: number; right: number }[] = [];
  for (const { start, end } of spans.sort((one, other) => one.start - other.start)) {
    const [left, right] = [at(start), at(end)];
    const last = stretches.at(-1);
    if (last !== undefined && left <= last.right + 0.5) last.right = Math.max(last.right, right);
    else stretches.push({ left, right });
  }
  const line = stretches.map(({ left, right }) => `M${n(left)} ${n(y)}H${n(right)}`).join("");
  return `<path class="tools" d="${line}"/>`;
}

/** A cross where the first of a request's tools failed; where their times are not known, at its end. */
function failureLines(
  { id, tools }: AgentRequest,
  { places, toolsAt }: Drawing,
): readonly string[] {
  const place = places.get(id);
  const failed = tools.filter(({ isError }) => isError);
  if (place === undefined || failed.length === 0) return [];
  const [first] = failed.flatMap(timesOf).sort((one, other) => one.end - other.end);
  const x = toolsAt === undefined || first === undefined ? place.right : toolsAt(first.end);
  const names = [...new Set(failed.map(({ name }) => name))].join(", ");
  return [cross(x, place.y, tooltip(`failed: ${names}`))];
}

function tooltip(text: string): string {
  return `<title>${svgText(snippet(text, 300))}</title>`;
}

function requestWords({ label, duration, tools }: AgentRequest): string {
  const names = new Map<string, number>();
  for (const { name } of tools) names.set(name, (names.get(name) ?? 0) + 1);
  const asked = [...names].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`));
  return [
    label,
    ...(duration > 0 ? [formatDuration(duration)] : []),
    ...(asked.length > 0 ? [`→ ${asked.join(", ")}`] : []),
  ].join(" · ");
}

function spanOf({ start, duration }: AgentRequest): TimeSpan | undefined {
  return start === undefined ? undefined : { start, end: start + duration, open: false };
}

/** Where times tell nothing: one request after the other. */
function placeOf({ place }: AgentRequest): TimeSpan {
  return { start: place, end: place + 0.8, open: false };
}

function timesOf({ span }: AgentRequest["tools"][number]): readonly TimeSpan[] {
  return span === undefined ? [] : [span];
}

const style = `${colors.map(({ fill, stroke }, at) => `.a${at}{fill:${fill};stroke:${stroke};stroke-width:.8}`).join("")}.other{fill:none}.life{stroke:#94a3b8;stroke-width:1;stroke-dasharray:1 3}.tools{fill:none;stroke:${hues.tool.stroke};stroke-width:3;opacity:.55}.cross{fill:none;stroke:${stateColors.error};stroke-width:2}.error{stroke:${stateColors.error};stroke-width:1.6}${arrowStyle.light}@media (prefers-color-scheme: dark){${colors.map(({ darkFill }, at) => `.a${at}{fill:${darkFill}}`).join("")}.cross,.error{stroke:#f87171}${arrowStyle.dark}}`;
