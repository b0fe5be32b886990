import { compactionMark, compactionWords } from "./compaction-mark.ts";
import type { FlowGraph, LineStyle } from "./flow-graph.ts";
import { type StepKind, stepKinds } from "./step-kind.ts";
import type { State } from "./step-state.ts";
import { isDrawn } from "./svg-arrows.ts";
import { waitSample, waitWords } from "./svg-axis.ts";
import { n } from "./svg-number.ts";
import { emWidth } from "./svg-text.ts";
import { measures, type Timeline } from "./timeline-layout.ts";

const kindWords: Readonly<Record<StepKind, string>> = {
  user: "user",
  context: "prompt context",
  agent: "agent, node",
  thought: "thought",
  model: "model call",
  tool: "tool",
  memory: "memory, retrieval",
  answer: "answer",
  other: "other",
};
const lineWords: Readonly<Record<Exclude<LineStyle, "order">, string>> = {
  declared: "rests on: declared by the program",
  observed: "rests on: observed by ids",
  inferred: "rests on: inferred",
};
const stateWords: Readonly<Record<Exclude<State, "ok">, string>> = {
  error: "error",
  running: "running",
  stopped: "cancelled or abandoned",
};

/** The legend of what this drawing shows, and how high it is; entries wrap at the drawing's width. */
export function legendOf(
  graph: FlowGraph,
  timeline: Timeline,
): { readonly svg: string; readonly height: number } {
  const shown = new Set<
    StepKind | "fold" | "stretch" | "revised" | "compaction" | State | LineStyle
  >();
  for (const { kind, state, isRevised, isAfterCompaction } of timeline.bars.values()) {
    shown.add(kind).add(state);
    if (isRevised) shown.add("revised");
    if (isAfterCompaction) shown.add("compaction");
  }
  for (const { style } of graph.edges.filter(isDrawn)) shown.add(style);
  const entries: [sample: string, word: string][] = [];
  for (const kind of stepKinds) {
    if (shown.has(kind)) entries.push([box(`k-${kind}`), kindWords[kind]]);
  }
  if (shown.has("fold")) entries.push([box("k-fold"), "folded"]);
  if (shown.has("stretch")) entries.push([box("k-fold"), "steps that follow one another"]);
  if (shown.has("revised")) entries.push([box("k-thought revised"), "revised later"]);
  if (shown.has("compaction")) entries.push([compactionMark(11, -3), compactionWords]);
  for (const state of ["error", "running", "stopped"] as const) {
    if (shown.has(state)) entries.push([box(`k-other ${state}`), stateWords[state]]);
  }
  for (const style of ["declared", "observed", "inferred"] as const) {
    if (shown.has(style)) entries.push([line(style), lineWords[style]]);
  }
  if (timeline.measured && timeline.scale.breaks.length > 0) {
    entries.push([waitSample, waitWords]);
  }
  let x: number = measures.margin;
  let row = 0;
  const parts = entries.map(([sample, word]) => {
    const width = 30 + emWidth(word) * measures.fontSize + 18;
    if (x + width > timeline.width - measures.margin) {
      x = measures.margin;
      row += 1;
    }
    const part = `<g transform="translate(${n(x)} ${n(timeline.bottom + 12 + row * 20)})">${sample}<text x="28" y="1" class="faint">${word}</text></g>`;
    x += width;
    return part;
  });
  return { svg: parts.join("\n"), height: entries.length === 0 ? 0 : 12 + (row + 1) * 20 };
}

function box(classes: string): string {
  return `<rect class="${classes}" x="2" y="-9" width="18" height="12" rx="3"/>`;
}

function line(style: string): string {
  return `<path class="arrow ${style}" marker-end="url(#tf-${style})" d="M0 -3H22"/>`;
}
