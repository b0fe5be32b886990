import { agentKinds } from "./agent-boxes.ts";
import { type AgentGraph, type AgentRequest, agentGraph } from "./agent-graph.ts";
import { oneLine } from "./clean-text.ts";
import { counted } from "./figures.ts";
import { hues } from "./palette.ts";
import type { Renderer } from "./renderer.ts";
import type { TimeSpan } from "./step-times.ts";
import { arrowHeads } from "./svg-arrows.ts";
import { axisHeight, axisOf, waitSample, waitWords } from "./svg-axis.ts";
import { headLines, headOf, type PictureHead } from "./svg-head.ts";
import { n } from "./svg-number.ts";
import { svgStyle } from "./svg-style.ts";
import { emWidth, fitPixels, svgText } from "./svg-text.ts";
import { timeScale } from "./time-scale.ts";

/**
 * The agents of a session as a timeline: a lane an agent, below the one that asked for it, a bar a request to the model, coloured
 * by the type of agent, and arrows from the requests that asked for an agent to its first, dashed where that is
 * inferred. What has no times has no bars; where none has, or all the same, the bars stand in their order.
 */
export const gantt: Renderer = {
  name: "gantt",
  mediaType: "image/svg+xml",
  fileExtension: ".gantt.svg",
  render: (session, options) => ganttOf(agentGraph(session, options), headOf(session)),
};

type Agent = AgentGraph["agents"][number];

/** An agent at its place. */
interface Lane {
  readonly agent: Agent;
  readonly depth: number;
  /** Of its middle. */
  readonly y: number;
  readonly hue: number;
}

/** Where a request is drawn. */
interface Place {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

type Look = "observed" | "inferred";

interface Arrow {
  readonly look: Look;
  readonly line: string;
}

/** What a drawing shows, as far as it has to be explained. */
interface Shown {
  readonly looks: ReadonlySet<Look>;
  readonly hasBreaks: boolean;
  readonly types: readonly string[];
}

const margin = 24;
const gutter = 230;
const indent = 14;
/** Above the axis. */
const headHeight = 78;
const laneHeight = 20;
const barHeight = 13;
/** Bars a pixel wide are still seen. */
const leastBar = 1.5;
const fontSize = 11;
const leastWidth = 700;
const mostWidth = 2_600;

const colors = agentKinds.map((kind) => hues[kind]);
const sharedColor = colors.length - 1;

export function ganttOf(graph: AgentGraph, head: PictureHead): string {
  // By type, each called what its first agent is.
  const names = new Map<string, string>();
  for (const { type, name } of graph.agents) if (!names.has(type)) names.set(type, name || type);
  const types = [...names.keys()];
  const requests = graph.agents.flatMap((agent) => agent.requests);
  const inTime = requests.flatMap((one) => spanOf(one) ?? []);
  const isMeasured = new Set(inTime.flatMap(({ start, end }) => [start, end])).size > 1;
  const spanFor = isMeasured ? spanOf : placeOf;
  const timed = isMeasured ? inTime : requests.map(placeOf);
  const room = Math.min(mostWidth, Math.max(leastWidth, timed.length * 8));
  const scale = timeScale(timed, room);
  const top = headHeight + (isMeasured ? axisHeight(scale) : 0);
  const lanes = lanesOf(graph.agents, types, top);
  const places = new Map<string, Place>();
  for (const { agent, y } of lanes) {
    for (const request of agent.requests) {
      const span = spanFor(request);
      if (span === undefined) continue;
      const left = margin + gutter + scale.x(span.start);
      const right = Math.max(left + leastBar, margin + gutter + scale.x(span.end));
      places.set(request.id, { left, right, y });
    }
  }
  const labels = labelsOf(graph.agents);
  const width = Math.ceil(margin * 2 + gutter + room);
  const bottom = top + lanes.length * laneHeight;
  const chart = { left: margin + gutter, right: width - 6, top: top - 4, bottom };
  const arrows = arrowsOf(graph, places);
  const looks = new Set(arrows.map(({ look }) => look));
  const shown = { looks, hasBreaks: scale.breaks.length > 0, types: [...names.values()] };
  const legend = legendOf(shown, bottom + 26, width);
  const height = legend.bottom + 22;
  const figures = [counted(lanes.length, "agent"), ...head.figures];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${svgText(head.title)}</title>`,
    `<style>${svgStyle}${style}</style>`,
    `<defs>${arrowHeads}</defs>`,
    `<rect class="ground" width="${width}" height="${height}" rx="8"/>`,
    ...headLines({ ...head, figures }, width),
    ...(isMeasured ? axisOf(scale, chart) : []),
    ...lanes.map((lane) => laneLines(lane, labels.get(lane.agent) ?? "", places)),
    ...arrows.map(({ line }) => line),
    ...legend.lines,
    "</svg>",
    "",
  ].join("\n");
}

/** Each agent below the one that asked for it. */
function lanesOf(agents: readonly Agent[], types: readonly string[], top: number): readonly Lane[] {
  const ids = new Set(agents.map(({ id }) => id));
  const below = new Map<string | null, Agent[]>();
  for (const agent of agents) {
    const parent = agent.parent !== null && ids.has(agent.parent) ? agent.parent : null;
    below.set(parent, [...(below.get(parent) ?? []), agent]);
  }
  const lanes: Lane[] = [];
  const placed = new Set<string>();
  const waiting = (below.get(null) ?? []).map((agent) => ({ agent, depth: 0 })).reverse();
  const place = (agent: Agent, depth: number): void => {
    if (placed.has(agent.id)) return;
    placed.add(agent.id);
    const y = top + (lanes.length + 0.5) * laneHeight;
    lanes.push({ agent, depth, y, hue: hueOf(types.indexOf(agent.type)) });
  };
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { agent, depth } = next;
    if (placed.has(agent.id)) continue;
    place(agent, depth);
    for (const child of (below.get(agent.id) ?? []).toReversed())
      waiting.push({ agent: child, depth: depth + 1 });
  }
  // Parents in a circle have no root above them.
  for (const agent of agents) place(agent, 0);
  return lanes;
}

/** An agent's name; with its id where others have the same one. */
function labelsOf(agents: readonly Agent[]): ReadonlyMap<Agent, string> {
  const counts = new Map<string, number>();
  for (const { name } of agents) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    agents.map((agent) => {
      const isAlone = agent.name !== "" && counts.get(agent.name) === 1;
      return [agent, isAlone ? oneLine(agent.name) : agent.label];
    }),
  );
}

function laneLines(
  { agent, depth, y, hue }: Lane,
  words: string,
  places: ReadonlyMap<string, Place>,
): string {
  const own = agent.requests.flatMap(({ id }) => places.get(id) ?? []);
  const left = own.reduce((least, place) => Math.min(least, place.left), Infinity);
  const right = own.reduce((most, place) => Math.max(most, place.right), -Infinity);
  const x = margin + Math.min(depth, 6) * indent;
  const label = fitPixels(words, gutter - 16 - (x - margin), fontSize);
  const bars = agent.requests.map((request) => {
    const at = places.get(request.id);
    if (at === undefined) return "";
    const classes = request.isError ? `a${hue} error` : `a${hue}`;
    return `<rect class="${classes}" x="${n(at.left)}" y="${n(y - barHeight / 2)}" width="${n(at.right - at.left)}" height="${barHeight}" rx="2"><title>${svgText(request.label)}</title></rect>`;
  });
  const line = own.length === 0 ? "" : `<path class="life" d="M${n(left)} ${n(y)}H${n(right)}"/>`;
  return `<text x="${n(x)}" y="${n(y + 4)}">${svgText(label)}<title>${svgText(agent.label)}</title></text>${line}${bars.join("")}`;
}

/** Down (or up) out of the request that asked, into the beginning of the first that came of it. */
function arrowsOf({ edges }: AgentGraph, places: ReadonlyMap<string, Place>): readonly Arrow[] {
  return edges.flatMap(({ source, target, type, confidence }) => {
    const [from, to] = [places.get(source), places.get(target)];
    if (type === "sequential" || from === undefined || to === undefined) return [];
    const look: Look = confidence < 1 ? "inferred" : "observed";
    const x = Math.min(from.right, to.left - 6);
    const down = to.y > from.y ? 1 : -1;
    const y1 = from.y + (barHeight / 2) * down;
    const words = `${type.replaceAll("_", " ")}, confidence ${confidence.toFixed(2)}`;
    const line = `<path class="arrow ${look}" marker-end="url(#tf-${look})" d="M${n(x)} ${n(y1)}V${n(to.y)}H${n(to.left)}"><title>${svgText(words)}</title></path>`;
    return [{ look, line }];
  });
}

/** What arrows and colours mean, in as many rows as it takes. */
function legendOf(
  { looks, hasBreaks, types }: Shown,
  top: number,
  width: number,
): { readonly lines: readonly string[]; readonly bottom: number } {
  const lines: string[] = [];
  let x = margin;
  let y = top;
  const add = (mark: () => string, words: string): void => {
    const label = fitPixels(words, 220, fontSize);
    const wide = 38 + emWidth(label) * fontSize;
    if (x > margin && x + wide > width - margin) {
      x = margin;
      y += laneHeight;
    }
    lines.push(mark(), `<text x="${n(x + 22)}" y="${n(y + 4)}">${svgText(label)}</text>`);
    x += wide;
  };
  const arrow = (look: Look) => () =>
    `<path class="arrow ${look}" marker-end="url(#tf-${look})" d="M${n(x)} ${n(y)}H${n(x + 17)}"/>`;
  const bar = (hue: number) => () =>
    `<rect class="a${hue}" x="${n(x)}" y="${n(y - 5)}" width="16" height="10" rx="2"/>`;
  const wait = () => `<g transform="translate(${n(x - 4)} ${n(y + 3)})">${waitSample}</g>`;
  if (looks.has("observed")) add(arrow("observed"), "asked for, known by id");
  if (looks.has("inferred")) add(arrow("inferred"), "likely");
  if (hasBreaks) add(wait, waitWords);
  const named = types.length > colors.length ? types.slice(0, sharedColor) : types;
  for (const [at, type] of named.entries()) add(bar(at), type === "" ? "agent" : type);
  if (named.length < types.length)
    add(bar(sharedColor), `${types.length - named.length} other types`);
  return { lines, bottom: y };
}

function hueOf(type: number): number {
  return Math.min(type, sharedColor);
}

function spanOf({ start, duration }: AgentRequest): TimeSpan | undefined {
  return start === undefined ? undefined : { start, end: start + duration, open: false };
}

/** Where times tell nothing: one request after the other. */
function placeOf({ place }: AgentRequest): TimeSpan {
  return { start: place, end: place + 0.8, open: false };
}

const style = `${colors.map(({ fill, stroke }, at) => `.a${at}{fill:${fill};stroke:${stroke};stroke-width:.8}`).join("")}.life{stroke:#94a3b8;stroke-width:1;stroke-dasharray:1 3}.error{stroke:#dc2626;stroke-width:1.6}@media (prefers-color-scheme: dark){${colors.map(({ darkFill }, at) => `.a${at}{fill:${darkFill}}`).join("")}}`;
