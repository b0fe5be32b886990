import type { Step } from "@thoughtflow/schema";
import { isKnownMoment, knownDuration } from "@thoughtflow/schema/steps";
import { snippet } from "./clean-text.ts";
import { formatCost, formatDuration, formatUsage } from "./figures.ts";
import { previewValue } from "./preview-value.ts";
import { errorText, isRecord, isText, stepText, toolResult } from "./step-summary.ts";

/** A named fact about a step, for tooltips and tables. */
export type Detail = readonly [name: string, value: string];

const longest = 240;

/**
 * What a reader looks up about a step: model, arguments, text, result, usage, error, and the ids under which
 * other tools know it. Values are single lines of at most 240 characters.
 */
export function stepDetails(step: Step): readonly Detail[] {
  const { payload_started: started, payload_completed: completed } = step;
  const details: Detail[] = [];
  const add = (name: string, value: unknown): void => {
    if (value === undefined || value === null || value === "") return;
    details.push([name, snippet(previewValue(value, longest * 2), longest)]);
  };
  add("step", step.step_id);
  add("status", step.status);
  if (isKnownMoment(step.started_at ?? "")) add("started", step.started_at);
  const duration = knownDuration(step);
  if (duration !== undefined) add("duration", formatDuration(duration));
  if (step.wait_ms !== undefined && step.wait_ms > 0) add("waited", formatDuration(step.wait_ms));
  if (isText(started?.["name"])) add("name", started["name"]);
  add("model", started?.["model"]);
  if (step.label === "thought") {
    add("type", started?.["thought_type"]);
    add("confidence", started?.["confidence"]);
    add("number", started?.["thoughtNumber"]);
    add("branch", started?.["branchId"]);
    add("alternatives", started?.["alternatives"]);
  }
  add("arguments", started?.["arguments"] ?? started?.["args"] ?? started?.["args_text"]);
  add("text", stepText(step));
  add("result", toolResult(step));
  add("finish reasons", completed?.["given_finish_reasons"] ?? completed?.["finish_reasons"]);
  add("tokens", formatUsage(step.usage));
  add("cost", formatCost(step.cost));
  const error = step.error ?? completed?.["error"];
  if (isRecord(error)) add("error", errorText(error));
  add("response", completed?.["response_id"]);
  add("call", started?.["call_id"]);
  add("version", started?.["version"]);
  add("span", step.span_id);
  add("trace", step.trace_id);
  return details;
}

/** The same for a tooltip: a line each. */
export function tooltipOf(step: Step): string {
  return stepDetails(step)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}
