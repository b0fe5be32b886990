import type { Session } from "@thoughtflow/schema";
import { snippet } from "./clean-text.ts";
import { formatDuration } from "./figures.ts";
import { type FlowGraph, flowGraph } from "./flow-graph.ts";
import { sessionFigures, sessionTitle } from "./flow-title.ts";
import { gantt } from "./gantt.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";
import { flowState, type State } from "./step-state.ts";
import { momentOf } from "./step-times.ts";
import { arrowHeads, arrowsOf, n } from "./svg-arrows.ts";
import { legendOf, zigzag } from "./svg-legend.ts";
import { svgStyle } from "./svg-style.ts";
import { emWidth, fitPixels, svgText } from "./svg-text.ts";
import { stateMarks } from "./terminal-ink.ts";
import { type Band, type Bar, layOutTimeline, measures, type Timeline } from "./timeline-layout.ts";

/**
 * The session as a timeline: a band a run, in it a track for each kind of step, bars by time, and arrows from
 * what is rested on to what rests on it; of too many steps for that, with several agents, their Gantt chart. One file without scripts, links or anything from elsewhere; its colours
 * follow the reader's colour scheme.
 */
export const svg: Renderer = {
  name: "svg",
  mediaType: "image/svg+xml",
  fileExtension: ".svg",
  render: renderSvg,
};

const top = 84;

function renderSvg(session: Session, options: RenderOptions = {}): string {
  const graph = flowGraph(session, options);
  if (options.run === undefined && !options.areRunsFolded && isFolded(graph) && hasAgents(session))
    return gantt.render(session, options);
  const timeline = layOutTimeline(session, graph, top);
  const legend = legendOf(graph, timeline);
  const { width } = timeline;
  const height = Math.ceil(timeline.bottom + legend.height + 12);
  const title = sessionTitle(session);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${svgText(title)}</title>`,
    `<style>${svgStyle}</style>`,
    `<defs>${arrowHeads}</defs>`,
    `<rect class="ground" width="${width}" height="${height}" rx="8"/>`,
    ...headOf(session, title, width),
    ...timeline.bands.map((band) => bandGround(band, width)),
    ...axisOf(timeline),
    ...arrowsOf(graph, timeline),
    ...timeline.bands.flatMap((band) => bandLines(band, width)),
    legend.svg,
    "</svg>",
    "",
  ].join("\n");
}

/** Too many steps to draw each: of several agents their requests are drawn instead. */
function isFolded({ lanes }: FlowGraph): boolean {
  return lanes.some(({ folded, boxes }) => folded || boxes.some(({ step }) => step === undefined));
}

const MOST_LANES = 100;

/** Several that have room for a lane each, or some that others asked for. */
function hasAgents({ agents = [] }: Session): boolean {
  const isAsked = agents.some(({ parent_agent_id }) => parent_agent_id !== undefined);
  return isAsked || (agents.length > 1 && agents.length <= MOST_LANES);
}

function headOf(session: Session, title: string, width: number): readonly string[] {
  const room = width - 2 * measures.margin;
  const start = momentOf(session.started_at);
  const facts = [
    session.session_id,
    ...(start === undefined || start < FIRST_DAY
      ? []
      : [`${new Date(start).toISOString().slice(0, 19).replace("T", " ")} UTC`]),
    ...(session.origin === "inferred" ? [`session inferred${sure(session.confidence)}`] : []),
    ...(isIncomplete(session) ? ["parts are missing"] : []),
  ];
  return [
    textAt(
      measures.margin,
      34,
      "title",
      withMark(flowState(session), fitPixels(title, room - 20, 17)),
    ),
    textAt(
      measures.margin,
      54,
      "",
      fitPixels(sessionFigures(session).join(" · "), room, measures.fontSize),
    ),
    textAt(
      measures.margin,
      70,
      "faint",
      fitPixels(snippet(facts.join(" · "), 200), room, measures.fontSize),
    ),
  ];
}

/** Sessions of formats that tell no time begin in it. */
const FIRST_DAY = 86_400_000;

/** A session that goes on misses nothing yet. */
function isIncomplete({ completeness }: Session): boolean {
  const { open_steps: open, missing_parents: missing, truncated } = completeness ?? {};
  return open !== undefined || missing !== undefined || truncated !== undefined;
}

function sure(confidence: number | undefined): string {
  return confidence === undefined ? "" : `, confidence ${confidence.toFixed(2)}`;
}

function axisOf({ scale, bands, measured }: Timeline): readonly string[] {
  const [first] = bands;
  const last = bands.at(-1);
  if (!measured || first === undefined || last === undefined) return [];
  const left = measures.margin + measures.gutter;
  const [y1, y2] = [first.y - 4, last.y + last.height];
  return [
    ...scale.ticks.flatMap(({ x, label }) => [
      `<path class="tick" d="M${n(left + x)} ${n(y1)}V${n(y2)}"/>`,
      textAt(left + x, y1 - 13, "faint", label),
    ]),
    ...scale.breaks.flatMap(({ x, width, milliseconds }) => [
      `<rect class="break" x="${n(left + x + width * 0.2)}" y="${n(y1)}" width="${n(width * 0.6)}" height="${n(y2 - y1)}"><title>${formatDuration(milliseconds)} in which nothing happened</title></rect>`,
      zigzag(left + x + width / 2, y1 - 9, 13),
    ]),
  ];
}

function bandGround(band: Band, width: number): string {
  return `<rect class="band" x="${measures.margin - 12}" y="${n(band.y)}" width="${n(width - 2 * measures.margin + 24)}" height="${n(band.height)}" rx="8"/>`;
}

function bandLines(band: Band, width: number): readonly string[] {
  const [name, figures] = band.heading;
  const lines: string[] = [];
  if (name !== undefined) {
    const room = width - 2 * measures.margin - 20;
    const shown = fitPixels(name, room * 0.55, 12.5);
    const left = room - emWidth(shown) * 12.5;
    lines.push(
      `<text class="label" x="${measures.margin}" y="${n(band.y + 21)}"><tspan class="heading">${withMark(band.state, shown)}</tspan><tspan class="faint" dx="12">${svgText(fitPixels(figures ?? "", left, measures.fontSize))}</tspan></text>`,
    );
  }
  for (const track of band.tracks) {
    lines.push(
      textAt(
        measures.margin + measures.gutter - 24,
        track.y + 12,
        "name",
        fitPixels(track.name, measures.gutter - 20, measures.fontSize),
      ),
      ...track.bars.map(barLine),
    );
  }
  return lines;
}

function barLine(bar: Bar): string {
  const { kind, state, label, tooltip, x, y, width } = bar;
  const classes = state === "ok" ? `k-${kind}` : `k-${kind} ${state}`;
  const rect = `<rect class="${classes}" x="${n(x)}" y="${n(y)}" width="${n(width - 1)}" height="${measures.barHeight}" rx="4"/>`;
  const words = label === "" ? "" : labelText(bar);
  return `<g${bar.isRevised ? ' class="revised"' : ""}><title>${svgText(tooltip || label)}</title>${rect}${words}</g>`;
}

function labelText({ kind, state, label, labelAt, x, y, width }: Bar): string {
  if (labelAt === "inside") return textAt(x + 5, y + 12, `i-${kind}`, label);
  const classes = state === "ok" ? "label" : `label w-${state}`;
  if (labelAt === "after") return textAt(x + width + 5, y + 12, classes, label);
  return textAt(x - 15, y + 12, `${classes} before`, label);
}

/** A text that the caller has cut to its room; `words` may hold marks of its own around escaped text. */
function textAt(x: number, y: number, classes: string, words: string): string {
  const escaped = classes === "title" ? words : svgText(words);
  return `<text x="${n(x)}" y="${n(y)}"${classes === "" ? "" : ` class="${classes}"`}>${escaped}</text>`;
}

function withMark(state: State, text: string): string {
  const mark = state === "ok" ? "" : `<tspan class="w-${state}">${stateMarks[state]} </tspan>`;
  return mark + svgText(text);
}
