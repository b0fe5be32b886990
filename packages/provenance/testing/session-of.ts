import type { Edge, Session, Step } from "@thoughtflow/schema";

/** A step for tests: its id, its label, and what it rests on, where it matters by which edge. */
export function step(
  id: string,
  label: string,
  on: readonly (string | Edge)[] = [],
  more: Partial<Step> = {},
): Step {
  const ids = on.map((one) => (typeof one === "string" ? one : one.to));
  const edges = on.filter((one) => typeof one !== "string");
  return {
    step_id: id,
    label,
    ...(ids.length > 0 && { depends_on: ids }),
    ...(edges.length > 0 && { edges }),
    ...more,
  };
}

export function sessionOf(...runs: readonly (readonly Step[])[]): Session {
  return sessionNamed("s", ...runs);
}

/** A session; the trace ids of its runs are 32 times the run's number. */
export function sessionNamed(id: string, ...runs: readonly (readonly Step[])[]): Session {
  return {
    session_id: id,
    conversations: runs.map((steps, at) => ({
      conversation_id: `r${at + 1}`,
      trace_id: `${at + 1}`.repeat(32),
      steps: [...steps],
    })),
  };
}
