import type { Edge, Run, Session, Step } from "@thoughtflow/schema";

/** A step where it stands. */
export interface PlacedStep {
  readonly run: Run;
  readonly step: Step;
}

/** Finds steps by the ids that documents use. */
export interface StepIndex {
  /**
   * The step that `target` means when a step of `run` names it: one of the same run, else the session's
   * earliest, else the one in the run (or trace) before a slash. Aliases count. `undefined` when the session
   * has none.
   */
  resolve(run: Run, target: string): PlacedStep | undefined;
}

/** Reads all ids of a session once. */
export function indexSteps(session: Session): StepIndex {
  const bySession = new Map<string, PlacedStep>();
  const byRun = new Map<Run, Map<string, PlacedStep>>();
  const runs = new Map<string, Run>();
  for (const run of session.conversations) {
    const own = new Map<string, PlacedStep>();
    byRun.set(run, own);
    for (const step of run.steps) {
      const placed = { run, step };
      for (const id of [step.step_id, ...(step.aliases ?? [])]) {
        if (!own.has(id)) own.set(id, placed);
        if (!bySession.has(id)) bySession.set(id, placed);
      }
    }
    for (const id of [run.conversation_id, run.run_id, run.trace_id]) {
      if (id !== undefined && !runs.has(id)) runs.set(id, run);
    }
  }
  const qualified = (target: string): PlacedStep | undefined => {
    for (let slash = target.indexOf("/"); slash > 0; slash = target.indexOf("/", slash + 1)) {
      const run = runs.get(target.slice(0, slash));
      const found = run && byRun.get(run)?.get(target.slice(slash + 1));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    resolve: (run, target) =>
      byRun.get(run)?.get(target) ?? bySession.get(target) ?? qualified(target),
  };
}

/** What a step rests on: its edges, and each target of `depends_on` that no edge names, as the program's own word. */
export function dependenciesOf(step: Step): readonly Edge[] {
  const edges = step.edges ?? [];
  const targets = typeof step.depends_on === "string" ? [step.depends_on] : (step.depends_on ?? []);
  if (targets.length === 0) return edges;
  const named = new Set(edges.map((edge) => edge.to));
  const rest = targets.filter((target) => !named.has(target));
  if (rest.length === 0) return edges;
  return [...edges, ...rest.map((to): Edge => ({ to, type: "depends_on", origin: "declared" }))];
}
