import type { Step } from "@thoughtflow/schema";
import { oneLine, snippet } from "./clean-text.ts";
import { plainTypes } from "./edge-types.ts";
import { counted, formatDuration } from "./figures.ts";
import type { FlowEdge } from "./flow-graph.ts";
import { type FlowBox, type FlowLane, stepOf } from "./flow-lanes.ts";
import { runFigures, runTitle } from "./flow-title.ts";
import { labelWord } from "./step-kind.ts";
import { stepState } from "./step-state.ts";
import { stepSummary } from "./step-summary.ts";
import { thoughtHeading } from "./thought-facts.ts";

/** The lines that name a run: number and title, then figures; for several runs how many they are. */
export function laneLabel(lane: FlowLane): readonly string[] {
  const [run, ...others] = lane.runs;
  if (run === undefined) return [];
  if (others.length > 0) {
    return [
      `Runs ${lane.number} to ${lane.number + others.length}`,
      `${counted(lane.runs.length, "run")} folded`,
    ];
  }
  return [`Run ${lane.number}: ${runTitle(run, 60)}`, runFigures(run).join(" · ")];
}

/** `Run 3: fix the build · 40 steps`; for several runs how many they are. */
export function foldedRunLabel(lane: FlowLane): string {
  const [run, ...others] = lane.runs;
  if (run === undefined || others.length > 0) return laneLabel(lane).join(" · ");
  return `Run ${lane.number}: ${runTitle(run, 32)} · ${counted(run.steps.length, "step")}`;
}

/** The lines that name a step: its label's word, duration and state, then what it says, wrapped. */
export function boxLabel(box: FlowBox): readonly string[] {
  const step = stepOf(box);
  if (step === undefined) return [foldedLabel(box)];
  return [stepHeading(step, box.revisedBy), ...wrap(stepSummary(step, 90), 36)];
}

/** `120 steps folded`. */
export function foldedLabel(box: FlowBox): string {
  return `${counted(box.steps.length, "step")} folded`;
}

/** `tool · 200 ms · error`; `thought · planning · confidence 0.9 · revised by later`. */
export function stepHeading(step: Step, revisedBy?: string): string {
  const state = stepState(step);
  const parts = [oneLine(labelWord(step)).slice(0, 40), ...thoughtHeading(step)];
  if (step.duration_ms) parts.push(formatDuration(step.duration_ms));
  if (state !== "ok") parts.push(step.status ?? state);
  if (revisedBy !== undefined) parts.push(revisedWord(revisedBy));
  return parts.join(" · ");
}

/** What is said of a step that a later one revises. */
export function revisedWord(by: string): string {
  return `revised by ${snippet(by, 32)}`;
}

/** Types are said of the step that rests on another; an arrow is read from the other. */
const alongTheArrow: ReadonlyMap<string, string> = new Map([
  ["revises", "revised by"],
  ["branches_from", "branch"],
  ["merges", "merged into"],
]);

/** What stands beside an arrow: its type where that is telling, and how sure an inference is. */
export function edgeLabel(edge: FlowEdge): string {
  const type = plainTypes.has(edge.type)
    ? ""
    : (alongTheArrow.get(edge.type) ?? oneLine(edge.type).replaceAll("_", " ").slice(0, 40));
  const confidence = edge.style === "inferred" ? (edge.confidence?.toFixed(2) ?? "") : "";
  return [type, confidence].filter((part) => part !== "").join(" ");
}

/** Breaks one line into lines of at most `columns` characters, at spaces where there are any. */
function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let from = 0;
  while (text.length - from > columns) {
    const space = text.lastIndexOf(" ", from + columns);
    const end = space > from ? space : text.indexOf(" ", from);
    if (end < 0) break;
    lines.push(text.slice(from, end));
    from = end + 1;
  }
  if (from < text.length) lines.push(text.slice(from));
  return lines;
}
