import type { AgentGraph, AgentRequest } from "./agent-graph.ts";
import { snippet } from "./clean-text.ts";
import { compactionMark, compactionWords } from "./compaction-mark.ts";
import { counted, formatDuration } from "./figures.ts";
import type { Place } from "./gantt-arrows.ts";
import { crowdAreas, crowdWords } from "./gantt-crowd.ts";
import { timesOf, toolStretches } from "./gantt-gaps.ts";
import { CROWD_ROWS, type Lane } from "./gantt-lanes.ts";
import { cross } from "./gantt-legend.ts";
import { n } from "./svg-number.ts";
import { emWidth, fitPixels, svgText } from "./svg-text.ts";

type Agent = AgentGraph["agents"][number];

export const laneHeight = 20;
export const barHeight = 13;
/** Bars a pixel wide are still seen. */
export const leastBar = 1.5;
const indent = 14;
const longestLabel = 80;
const fontSize = 11;
/** Pixels from a bar to a mark behind it. */
const behindBar = 6;
/** Crosses so near to one another, in pixels, are one. */
const nearestCrosses = 4;

/** Where and how what lanes hold is drawn. */
export interface Drawing {
  readonly places: ReadonlyMap<string, Place>;
  readonly hueOf: (agent: Agent) => number;
  /** From time to pixels; absent where tools have no times. */
  readonly toolsAt: ((moment: number) => number) | undefined;
  /** Where labels begin, and how much room there is for them. */
  readonly margin: number;
  readonly gutter: number;
}

/** How high a lane is, in pixels. */
export function heightOf({ atOnce }: Lane): number {
  return laneHeight * (atOnce === undefined ? 1 : CROWD_ROWS);
}

/** How much room the lanes' labels take, from a lane's left end. */
export function widthOfLabels(lanes: readonly Lane[]): number {
  return lanes.reduce((most, lane) => {
    const words = [lane.label, ...(lane.atOnce === undefined ? [] : [wordsOfCrowd(lane)])];
    const width = Math.max(...words.map((one) => emWidth(snippet(one, longestLabel)) * fontSize));
    return Math.max(most, indentOf(lane) + width);
  }, 0);
}

function indentOf({ depth }: Lane): number {
  return Math.min(depth, 6) * indent;
}

/** A lane's label and its bars; `y` is its top. */
export function laneLines(lane: Lane, y: number, drawing: Drawing): string {
  const { agents, label, title, atOnce } = lane;
  const x = drawing.margin + indentOf(lane);
  const textAt = (words: string, below: number, classes = ""): string => {
    const room = drawing.gutter - 16 - indentOf(lane);
    const shown = fitPixels(snippet(words, longestLabel), room, fontSize);
    return `<text x="${n(x)}" y="${n(y + below)}"${classes}>${svgText(shown)}${tooltip(title)}</text>`;
  };
  const text = label === "" ? "" : textAt(label, 14);
  if (atOnce !== undefined) {
    const words = wordsOfCrowd(lane);
    const areas = crowdAreas(crowdOf(lane, drawing), y + heightOf(lane) - 4, heightOf(lane) - 8);
    return `${text}${textAt(words, 30, ' class="faint"')}<g>${tooltip(`${title}: ${words}`)}${areas.join("")}</g>`;
  }
  const middle = y + laneHeight / 2;
  return (
    text + agents.map((agent) => agentLines(agent, middle, drawing, agents.length > 1)).join("")
  );
}

function wordsOfCrowd({ agents, atOnce = 0 }: Lane): string {
  const failed = agents.reduce((sum, { requests }) => sum + requests.filter(hasFailed).length, 0);
  return crowdWords(atOnce, failed);
}

function crowdOf({ agents }: Lane, { places, hueOf }: Drawing) {
  return agents.flatMap((agent) =>
    agent.requests.flatMap(({ id }) => {
      const place = places.get(id);
      return place === undefined ? [] : [{ ...place, hue: hueOf(agent) }];
    }),
  );
}

/** Requests that are drawn as one bar: of many in a pixel only one would be seen. */
interface Bar extends Place {
  right: number;
  readonly requests: AgentRequest[];
}

function barsOf({ requests }: Agent, { places }: Drawing): readonly Bar[] {
  const bars: Bar[] = [];
  for (const request of requests) {
    const place = places.get(request.id);
    if (place === undefined) continue;
    const last = bars.at(-1);
    const isNear =
      last !== undefined &&
      place.left >= last.left &&
      Math.max(place.right, last.right) - last.left <= 2 * leastBar &&
      last.requests[0]?.isError === request.isError;
    if (isNear) {
      last.requests.push(request);
      last.right = Math.max(last.right, place.right);
    } else bars.push({ ...place, requests: [request] });
  }
  return bars;
}

function agentLines(agent: Agent, y: number, drawing: Drawing, isOneOfMany: boolean): string {
  const { hueOf, toolsAt } = drawing;
  const bars = barsOf(agent, drawing);
  const left = bars.reduce((least, bar) => Math.min(least, bar.left), Infinity);
  const right = bars.reduce((most, bar) => Math.max(most, bar.right), -Infinity);
  const life = bars.length < 2 ? "" : `<path class="life" d="M${n(left)} ${n(y)}H${n(right)}"/>`;
  const tools = toolsAt === undefined ? "" : toolsLine(agent, y, toolsAt);
  const drawn = bars.map((bar) => {
    const [request] = bar.requests;
    if (request === undefined) return "";
    const classes = request.isError ? `a${hueOf(agent)} error` : `a${hueOf(agent)}`;
    const { length } = bar.requests;
    const words = `${length > 1 ? `${counted(length, "request")}, the first: ` : ""}${requestWords(request)}`;
    const told = isOneOfMany ? `${agent.label} · ${words}` : words;
    return `<rect class="${classes}" x="${n(bar.left)}" y="${n(y - barHeight / 2)}" width="${n(bar.right - bar.left)}" height="${barHeight}" rx="2">${tooltip(told)}</rect>`;
  });
  return `${life}${tools}${drawn.join("")}`;
}

function toolsLine(agent: Agent, y: number, at: (moment: number) => number): string {
  const stretches = toolStretches(agent, at);
  if (stretches.length === 0) return "";
  const line = stretches.map(({ left, right }) => `M${n(left)} ${n(y)}H${n(right)}`).join("");
  return `<path class="tools" d="${line}"/>`;
}

/** A cross where the first of a request's tools failed; where their times are not known, at its end. Of a crowd none: its label says how many. */
export function failureLines({ agents, atOnce }: Lane, drawing: Drawing): readonly string[] {
  if (atOnce !== undefined) return [];
  const failures = agents
    .flatMap(({ requests }) => requests.flatMap((one) => failureOf(one, drawing)))
    .sort((one, other) => one.x - other.x);
  const crosses: { readonly x: number; readonly y: number; readonly names: string[] }[] = [];
  for (const { x, y, names } of failures) {
    const last = crosses.at(-1);
    if (last !== undefined && x - last.x < nearestCrosses)
      for (const name of names) last.names.push(name);
    else crosses.push({ x, y, names: [...names] });
  }
  return crosses.map(({ x, y, names }) => cross(x, y, tooltip(`failed: ${timesEach(names)}`)));
}

/** A mark at the beginning of each request before which the conversation was compacted, and behind the last where nobody asked since. */
export function compactionLines({ agents, atOnce }: Lane, { places }: Drawing): readonly string[] {
  if (atOnce !== undefined) return [];
  return agents.flatMap(({ requests }) =>
    requests.flatMap(({ id, isAfterCompaction, isBeforeCompaction }) => {
      const place = places.get(id);
      if (place === undefined) return [];
      const { left, right, y } = place;
      const at = [
        isAfterCompaction ? left : [],
        isBeforeCompaction ? right + behindBar : [],
      ].flat();
      return at.map((x) => compactionMark(x, y, tooltip(compactionWords)));
    }),
  );
}

function failureOf(
  { id, tools }: AgentRequest,
  { places, toolsAt }: Drawing,
): readonly { readonly x: number; readonly y: number; readonly names: readonly string[] }[] {
  const place = places.get(id);
  const failed = tools.filter(({ isError }) => isError);
  if (place === undefined || failed.length === 0) return [];
  const [first] = failed.flatMap(timesOf).sort((one, other) => one.end - other.end);
  const x = toolsAt === undefined || first === undefined ? place.right : toolsAt(first.end);
  return [{ x, y: place.y, names: failed.map(({ name }) => name || "tool") }];
}

function hasFailed({ isError, tools }: AgentRequest): boolean {
  return isError || tools.some((one) => one.isError);
}

function tooltip(text: string): string {
  return `<title>${svgText(snippet(text, 300))}</title>`;
}

function requestWords({ label, duration, tools }: AgentRequest): string {
  const asked = timesEach(tools.map(({ name }) => name));
  return [
    label,
    ...(duration > 0 ? [formatDuration(duration)] : []),
    ...(asked === "" ? [] : [`→ ${asked}`]),
  ].join(" · ");
}

/** `Read ×3, Bash` */
function timesEach(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`)).join(", ");
}
