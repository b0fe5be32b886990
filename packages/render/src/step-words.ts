import type { Step } from "@thoughtflow/schema";
import { oneLine, snippet } from "./clean-text.ts";
import { formatDuration } from "./figures.ts";
import { isChosenId } from "./short-ids.ts";
import { tooltipOf } from "./step-details.ts";
import { kindOf, labelWord } from "./step-kind.ts";
import { stepState } from "./step-state.ts";
import { stepName, stepSummary } from "./step-summary.ts";
import { thoughtHeading, thoughtPrefix } from "./thought-facts.ts";

/** What diagrams say of a step. */
export interface StepWords {
  /** Its label's word, duration and state: `tool · 200 ms · error`; `thought · planning · confidence 0.9`. */
  readonly heading: string;
  /** What it says, for a box: at most 90 characters. */
  readonly summary: string;
  /** What it says, for a bar in the track of its kind: at most 72 characters behind its marks and its label's word. */
  readonly label: string;
  /** What stays of the label where there is little room; it may be the same. */
  readonly shortLabel: string;
  /** What a reader looks up about it, a line a fact. */
  readonly tooltip: string;
}

/** All of them at once: a step may read its payloads anew whenever somebody looks at them. */
export function stepWords(unread: Step): StepWords {
  const step = { ...unread };
  const mark = stepState(step) === "error" ? "✗ " : "";
  return {
    heading: headingOf(step),
    summary: stepSummary(step, 90),
    label: mark + thoughtPrefix(step) + labelOf(step),
    shortLabel: mark + shortLabelOf(step),
    tooltip: tooltipOf(step),
  };
}

function headingOf(step: Step): string {
  const state = stepState(step);
  const parts = [oneLine(labelWord(step)).slice(0, 40), ...thoughtHeading(step)];
  if (step.duration_ms) parts.push(formatDuration(step.duration_ms));
  if (state !== "ok") parts.push(step.status ?? state);
  return parts.join(" · ");
}

/** What a step says, after its label's word where the track doesn't tell that. */
function labelOf(step: Step): string {
  const summary = stepSummary(step, 72);
  const kind = kindOf(step);
  const isTold =
    kind === "user" ||
    kind === "model" ||
    kind === "answer" ||
    kind === "thought" ||
    step.label === "tool_call" ||
    step.label === "tool_output";
  if (isTold) return summary;
  const word = oneLine(labelWord(step));
  return word === "" || summary === "" ? word + summary : `${word}: ${summary}`;
}

function shortLabelOf(step: Step): string {
  const isNamedById = kindOf(step) === "thought" && isChosenId(step.step_id);
  return isNamedById ? snippet(step.step_id, 24) : stepName(step);
}
