import type { Session } from "@thoughtflow/schema";
import { endId, type FlowEnd, type FlowGraph } from "./flow-graph.ts";
import { laneLabel } from "./flow-labels.ts";
import type { FlowLane } from "./flow-lanes.ts";
import { flowState, type State } from "./step-state.ts";
import { stepTimes } from "./step-times.ts";
import { axisHeight } from "./svg-axis.ts";
import { emWidth, fitPixels } from "./svg-text.ts";
import { type TimeScale, timeScale } from "./time-scale.ts";
import { subAgentsOf, type TimelineItem, type TrackItems, tracksOf } from "./timeline-items.ts";
import { stackRows } from "./timeline-rows.ts";

/** A step, or a fold, as a bar. Pixels from the drawing's upper left corner. */
export interface Bar
  extends Pick<
    TimelineItem,
    "id" | "kind" | "state" | "label" | "tooltip" | "isRevised" | "isAfterCompaction"
  > {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly labelAt: "inside" | "after" | "before";
}

/** A row of bars of one kind, or several where they stand in parallel. */
export interface Track {
  readonly name: string;
  readonly y: number;
  readonly bars: readonly Bar[];
}

/** A run and its tracks; or folded runs, one bar each. */
export interface Band {
  readonly heading: readonly string[];
  readonly state: State;
  readonly y: number;
  readonly height: number;
  readonly tracks: readonly Track[];
}

/** Everything's place. */
export interface Timeline {
  readonly width: number;
  /** Room for the names of tracks, from the margin on. */
  readonly gutter: number;
  readonly bottom: number;
  readonly scale: TimeScale;
  /** False when the document holds no time at all: no axis then. */
  readonly measured: boolean;
  readonly bands: readonly Band[];
  /** Bars by the ids of the graph's boxes and folded lanes. */
  readonly bars: ReadonlyMap<string, Bar>;
}

/** The measures that layout and painting share, in pixels. */
export const measures = {
  margin: 24,
  labelMargin: 170,
  barHeight: 16,
  rowHeight: 21,
  headingHeight: 34,
  trackGap: 5,
  bandGap: 14,
  fontSize: 11,
} as const;

/** Gives every box of the graph its place, from `top` down. Pure: the same session gives the same places. */
export function layOutTimeline(session: Session, graph: FlowGraph, top: number): Timeline {
  const times = stepTimes(session);
  const subAgents = subAgentsOf(session);
  const groups = bandGroups(graph.lanes).map((lanes) => ({
    lanes,
    tracks: tracksOf(lanes, times, subAgents),
  }));
  const gutter = gutterFor(groups.flatMap(({ tracks }) => tracks.map(({ name }) => name)));
  const items = groups.flatMap(({ tracks }) => tracks.flatMap((track) => track.items));
  const chart = Math.min(2400, Math.max(860, items.length * 12));
  const scale = timeScale(
    items.map((item) => item.span),
    chart,
    items.every(({ kind }) => kind === "stretch"),
  );
  const bars = new Map<string, Bar>();
  const bands: Band[] = [];
  let y = top + (times.measured ? axisHeight(scale) : 0);
  for (const { lanes, tracks } of groups) {
    const [lane] = lanes;
    if (lane === undefined) continue;
    const band = bandAt(y, lanes, tracks, { scale, gutter, chart });
    for (const track of band.tracks) for (const bar of track.bars) bars.set(bar.id, bar);
    bands.push(band);
    y += band.height + measures.bandGap;
  }
  const width = measures.margin * 2 + gutter + chart + measures.labelMargin;
  return { width, gutter, bottom: y, scale, measured: times.measured, bands, bars };
}

/** Between a track's name and its first bar's arrow. */
const nameGap = 20;

/** The names of kinds of steps take 86 pixels; those of agents, that may have to be told apart, may take more. */
function gutterFor(names: readonly string[]): number {
  const widest = names.reduce((most, name) => Math.max(most, emWidth(name)), 0);
  return Math.round(Math.min(220, Math.max(106, widest * measures.fontSize + nameGap + 1)));
}

/** Folded runs that stand side by side share a band. */
function bandGroups(lanes: readonly FlowLane[]): readonly (readonly FlowLane[])[] {
  const groups: FlowLane[][] = [];
  for (const lane of lanes) {
    const last = groups.at(-1);
    if (lane.folded && last?.[0]?.folded) last.push(lane);
    else groups.push([lane]);
  }
  return groups;
}

/** From time to pixels, behind so much room for names. */
interface Room {
  readonly scale: TimeScale;
  readonly gutter: number;
  readonly chart: number;
}

function bandAt(
  top: number,
  lanes: readonly FlowLane[],
  tracks: readonly TrackItems[],
  room: Room,
): Band {
  const [lane] = lanes;
  const folded = lane?.folded === true;
  const heading = lane === undefined || folded ? [] : laneLabel(lane);
  const [run] = lane?.runs ?? [];
  let y = top + (folded ? 10 : measures.headingHeight);
  const placed = tracks.map(({ name, items }): Track => {
    const track = { name, y, bars: barsOf(items, y, room, folded) };
    const last = track.bars.reduce((bottom, bar) => Math.max(bottom, bar.y), y);
    y = last + measures.rowHeight + measures.trackGap;
    return track;
  });
  return {
    heading,
    state: run && !folded ? flowState(run) : "ok",
    y: top,
    height: y - top + 4,
    tracks: placed,
  };
}

/** A step too short to be seen is drawn this wide. */
const narrowestBar = 8;

function barsOf(
  items: readonly TimelineItem[],
  top: number,
  { scale, gutter, chart }: Room,
  folded: boolean,
): readonly Bar[] {
  const left = measures.margin + gutter;
  const boxes = items.map(({ span, label, state }) => {
    const x = left + scale.x(span.start);
    const width = Math.max(narrowestBar, left + scale.x(span.end) - x);
    const textWidth = emWidth(label) * measures.fontSize;
    return { x, width, textWidth, labelWidth: textWidth + 10, isMarked: state === "error" };
  });
  const edges = { left, right: left + chart + measures.labelMargin };
  const spare = folded || items[0]?.kind === "stretch" ? 210 : crowded(items) ? 0 : 2;
  const places = stackRows(boxes, edges, [400, 240, 150, 90, 50], spare);
  /** Where the labels of rows end so far. */
  const ends: number[] = [];
  const bars: Bar[] = [];
  for (const at of orderOf(boxes)) {
    const [item, box] = [items[at], boxes[at]];
    if (item === undefined || box === undefined) continue;
    const { x, width, textWidth } = box;
    const { row = 0, room = 0, begin = left } = places[at] ?? {};
    const before = x - Math.max(begin, ends[row] ?? left) - 20;
    const [label, labelAt] = fitLabel(item, textWidth, {
      inside: width - 10,
      after: room - 10,
      before,
    });
    if (labelAt === "after" && label !== "")
      ends[row] = x + width + 10 + emWidth(label) * measures.fontSize;
    const { shortLabel: _, span: __, ...told } = item;
    const y = top + row * measures.rowHeight;
    bars[at] = { ...told, label, labelAt, x, y, width };
  }
  return bars;
}

/** From left to right. */
function orderOf(boxes: readonly { readonly x: number }[]): readonly number[] {
  return boxes
    .map((_, at) => at)
    .sort((one, other) => (boxes[one]?.x ?? 0) - (boxes[other]?.x ?? 0) || one - other);
}

/** Model calls stand one after another, and many steps want few rows: there labels have to give way. */
function crowded(items: readonly TimelineItem[]): boolean {
  return items.length > 24 || items[0]?.kind === "model";
}

type Rooms = Readonly<Record<Bar["labelAt"], number>>;

/** A label that was cut says more than the short one in it with so many characters more, or with so many where that is none of it. */
const leastMore = 8;
const leastOther = 14;
/** Fewer characters, with their `…`, say nothing. */
const leastCut = 5;

/** The label where it fits whole somewhere, inside first; else as much of it as fits, or the short one where that is hardly less. */
function fitLabel(
  { kind, label, shortLabel }: TimelineItem,
  textWidth: number,
  rooms: Rooms,
): readonly [label: string, place: Bar["labelAt"]] {
  const place = placeFor(textWidth, rooms);
  if (place !== undefined) return [label, place];
  const widest = rooms.inside >= rooms.after ? "inside" : "after";
  const cut = fitPixels(label, rooms[widest], measures.fontSize);
  const shortPlace = placeFor(emWidth(shortLabel) * measures.fontSize, rooms);
  if (shortPlace === undefined) return [cut.length < leastCut ? "" : cut, widest];
  const start = label.indexOf(shortLabel);
  const least = start === -1 ? leastOther : start + shortLabel.length + leastMore;
  const isWorthMore = kind !== "fold" && kind !== "stretch" && cut.length >= least;
  return isWorthMore ? [cut, widest] : [shortLabel, shortPlace];
}

function placeFor(width: number, { inside, after, before }: Rooms): Bar["labelAt"] | undefined {
  if (inside >= width) return "inside";
  if (after >= width) return "after";
  return before >= width ? "before" : undefined;
}

/** The bar at an end of an arrow, if it is drawn. */
export function barAt(timeline: Timeline, end: FlowEnd): Bar | undefined {
  return timeline.bars.get(endId(end));
}
