import type { Session } from "@thoughtflow/schema";
import { compactionMark } from "./compaction-mark.ts";
import { flowGraph } from "./flow-graph.ts";
import { gantt } from "./gantt.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";
import { showsAgents } from "./shows-agents.ts";
import { arrowHeads, arrowsOf } from "./svg-arrows.ts";
import { axisOf } from "./svg-axis.ts";
import { headLines, headOf, inOrder, withMark } from "./svg-head.ts";
import { legendOf } from "./svg-legend.ts";
import { n } from "./svg-number.ts";
import { svgStyle } from "./svg-style.ts";
import { emWidth, fitPixels, svgText } from "./svg-text.ts";
import {
  type Band,
  type Bar,
  layOutTimeline,
  measures,
  type Timeline,
  type Track,
} from "./timeline-layout.ts";

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
  if (showsAgents(session, graph, options)) return gantt.render(session, options);
  const timeline = layOutTimeline(session, graph, top);
  const legend = legendOf(graph, timeline);
  const { width } = timeline;
  const height = Math.ceil(timeline.bottom + legend.height + 12);
  const head = headOf(session);
  const start = (timeline.measured ? timeline.scale.start : undefined) ?? head.start;
  const facts = [...head.facts, ...orderFact(timeline)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${svgText(head.title)}</title>`,
    `<desc>${svgText(head.figures.join(", "))}</desc>`,
    `<style>${svgStyle}</style>`,
    `<defs>${arrowHeads}</defs>`,
    `<rect class="ground" width="${width}" height="${height}" rx="8"/>`,
    ...headLines({ ...head, start, facts }, width),
    ...timeline.bands.map((band) => bandGround(band, width)),
    ...axisLines(timeline),
    ...arrowsOf(graph, timeline),
    ...timeline.bands.flatMap((band) => bandLines(band, timeline)),
    legend.svg,
    "</svg>",
    "",
  ].join("\n");
}

/** Without an axis a reader would take the order of bars for times. */
function orderFact({ measured, bars }: Timeline): readonly string[] {
  return measured || bars.size === 0 ? [] : [inOrder];
}

function axisLines({ scale, bands, measured, width, gutter }: Timeline): readonly string[] {
  const [first] = bands;
  const last = bands.at(-1);
  if (!measured || first === undefined || last === undefined) return [];
  return axisOf(scale, {
    left: measures.margin + gutter,
    right: width - measures.margin,
    top: first.y - 4,
    bottom: last.y + last.height,
  });
}

function bandGround(band: Band, width: number): string {
  return `<rect class="band" x="${measures.margin - 12}" y="${n(band.y)}" width="${n(width - 2 * measures.margin + 24)}" height="${n(band.height)}" rx="8"/>`;
}

function bandLines(band: Band, { width, gutter }: Timeline): readonly string[] {
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
    lines.push(trackName(track, gutter), ...track.bars.map(barLine));
  }
  return lines;
}

/** What is cut of it tells agents apart. */
function trackName({ name, y }: Track, gutter: number): string {
  const shown = fitPixels(name, gutter - 20, measures.fontSize);
  const text = textAt(measures.margin + gutter - 24, y + 12, "name", shown);
  return shown === name ? text : `<g><title>${svgText(name)}</title>${text}</g>`;
}

function barLine(bar: Bar): string {
  const { kind, state, label, tooltip, x, y, width } = bar;
  const classes = state === "ok" ? `k-${lookOf(kind)}` : `k-${lookOf(kind)} ${state}`;
  const rect = `<rect class="${classes}" x="${n(x)}" y="${n(y)}" width="${n(width - 1)}" height="${measures.barHeight}" rx="4"/>`;
  const words = label === "" ? "" : labelText(bar);
  const mark = bar.isAfterCompaction ? compactionMark(x, y + measures.barHeight / 2) : "";
  return `<g${bar.isRevised ? ' class="revised"' : ""}><title>${svgText(tooltip || label)}</title>${rect}${words}${mark}</g>`;
}

function lookOf(kind: Bar["kind"]): Exclude<Bar["kind"], "stretch"> {
  return kind === "stretch" ? "fold" : kind;
}

function labelText({ kind, state, label, labelAt, x, y, width }: Bar): string {
  if (labelAt === "inside") return textAt(x + 5, y + 12, `i-${lookOf(kind)}`, label);
  const classes = state === "ok" ? "label" : `label w-${state}`;
  if (labelAt === "after") return textAt(x + width + 5, y + 12, classes, label);
  return textAt(x - 15, y + 12, `${classes} before`, label);
}

/** A text that the caller has cut to its room. */
function textAt(x: number, y: number, classes: string, words: string): string {
  return `<text x="${n(x)}" y="${n(y)}" class="${classes}">${svgText(words)}</text>`;
}
