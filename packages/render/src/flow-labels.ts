import { oneLine, snippet } from "./clean-text.ts";
import { plainTypes } from "./edge-types.ts";
import { counted, formatCount } from "./figures.ts";
import type { FlowEdge } from "./flow-graph.ts";
import type { FlowBox, FlowLane, StepBox } from "./flow-lanes.ts";
import { runFigures, runHeading, runSubject, totalsOf } from "./flow-title.ts";
import { stretchLabel } from "./run-stretches.ts";
import { stepState } from "./step-state.ts";

/** The lines that name a run: its number and heading, of a folded one its subject, then figures; for several runs how many they are. */
export function laneLabel(lane: FlowLane): readonly string[] {
  const { number, runs, count } = lane;
  const [run] = runs;
  if (run === undefined) return [];
  if (count > 1)
    return [`Runs ${number} to ${number + count - 1}`, `${counted(count, "run")} folded`];
  const told = lane.folded ? runSubject(run, 60) : runHeading(run, 64);
  return [`Run ${number}: ${told}`, runFigures(run).join(" · ")];
}

/** `Run 3: fix the build · 40 steps · 2 errors`; for several runs how many they are. */
export function foldedRunLabel(lane: FlowLane): string {
  const [run] = lane.runs;
  if (run === undefined || lane.count > 1) return laneLabel(lane).join(" · ");
  const { errors, steps } = totalsOf([run], run.totals);
  const failed = errors === 0 ? "" : ` · ${counted(errors, "error")}`;
  return `Run ${lane.number}: ${runSubject(run, 32)} · ${counted(steps, "step")}${failed}`;
}

/** The lines that name a step: its heading, then what it says, wrapped. */
export function boxLabel(box: FlowBox): readonly string[] {
  if (box.step === undefined)
    return box.stretch === undefined ? [foldedLabel(box)] : stretchLabel(box.stretch);
  return [boxHeading(box), ...wrap(box.words.summary, 36)];
}

/** `120 steps folded`, `120 steps folded · 3 failed`; of a stretch of a run what it holds. */
export function foldedLabel(box: FlowBox): string {
  if (box.step === undefined && box.stretch !== undefined)
    return stretchLabel(box.stretch).join(" · ");
  const { steps } = box;
  // What came of a tool call that failed is a step, too.
  const failed = steps.filter((one) => one.label !== "tool_error" && stepState(one) === "error");
  const words = failed.length === 0 ? "" : ` · ${formatCount(failed.length)} failed`;
  return `${counted(steps.length, "step")} folded${words}`;
}

/** `thought · planning · confidence 0.9 · revised by later`. */
export function boxHeading({ words, revisedBy }: StepBox): string {
  return revisedBy === undefined ? words.heading : `${words.heading} · ${revisedWord(revisedBy)}`;
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
