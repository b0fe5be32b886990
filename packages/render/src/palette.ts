import type { LineStyle } from "./flow-graph.ts";
import type { StepKind } from "./step-kind.ts";
import type { State } from "./step-state.ts";

/** One colour family: the fill and its text in light and in dark surroundings, and a stroke that shows in both. */
export interface Hue {
  readonly fill: string;
  readonly text: string;
  readonly stroke: string;
  readonly darkFill: string;
  readonly darkText: string;
}

/** Colours by kind of step, told apart also in greyscale by their strokes' words beside them. */
export const hues: Readonly<Record<StepKind, Hue>> = {
  user: {
    fill: "#dbeafe",
    text: "#1e3a8a",
    stroke: "#3b82f6",
    darkFill: "#1e3358",
    darkText: "#dbeafe",
  },
  context: {
    fill: "#e7e5e4",
    text: "#44403c",
    stroke: "#8f8780",
    darkFill: "#3a3633",
    darkText: "#e7e5e4",
  },
  agent: {
    fill: "#cffafe",
    text: "#155e75",
    stroke: "#0891b2",
    darkFill: "#12404d",
    darkText: "#cffafe",
  },
  thought: {
    fill: "#fae8ff",
    text: "#701a75",
    stroke: "#c026d3",
    darkFill: "#4a1b50",
    darkText: "#fae8ff",
  },
  model: {
    fill: "#e0e7ff",
    text: "#3730a3",
    stroke: "#6366f1",
    darkFill: "#302f63",
    darkText: "#e0e7ff",
  },
  tool: {
    fill: "#fef3c7",
    text: "#78350f",
    stroke: "#d97706",
    darkFill: "#4f3410",
    darkText: "#fef3c7",
  },
  memory: {
    fill: "#ccfbf1",
    text: "#115e59",
    stroke: "#0d9488",
    darkFill: "#12453f",
    darkText: "#ccfbf1",
  },
  answer: {
    fill: "#dcfce7",
    text: "#14532d",
    stroke: "#16a34a",
    darkFill: "#17432a",
    darkText: "#dcfce7",
  },
  other: {
    fill: "#f1f5f9",
    text: "#334155",
    stroke: "#64748b",
    darkFill: "#2b3441",
    darkText: "#e2e8f0",
  },
};

/** Colours of arrows, readable on white and on near-black. */
export const lineColors: Readonly<Record<LineStyle, string>> = {
  declared: "#2563eb",
  observed: "#64748b",
  inferred: "#d97706",
  order: "#94a3b8",
};

/** Colours of what did not go well; `ok` needs none. */
export const stateColors: Readonly<Record<Exclude<State, "ok">, string>> = {
  error: "#dc2626",
  running: "#2563eb",
  stopped: "#9333ea",
};
