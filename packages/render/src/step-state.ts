import type { Run, Session, Step } from "@thoughtflow/schema";

/** How something went, in the four ways that drawings tell apart. */
export type State = "ok" | "running" | "error" | "stopped";

const states: ReadonlyMap<string, State> = new Map([
  ["running", "running"],
  ["active", "running"],
  ["in_progress", "running"],
  ["error", "error"],
  ["cancelled", "stopped"],
  ["aborted", "stopped"],
  ["abandoned", "stopped"],
]);

/** The state of a step; a step without a status is `ok` unless it carries an error or is a `tool_error`. */
export function stepState(step: Step): State {
  const said = states.get(step.status ?? "");
  if (said !== undefined) return said;
  return step.error !== undefined || step.label === "tool_error" ? "error" : "ok";
}

/** The state of a run or a session; `ok` when nothing says otherwise. */
export function flowState(flow: Run | Session): State {
  return states.get(flow.status ?? "") ?? (flow["error"] === undefined ? "ok" : "error");
}
