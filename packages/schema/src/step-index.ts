import type { Run, Session, Step } from "./document.ts";

/** A step and the run that it belongs to. */
export interface PlacedStep {
  readonly run: Run;
  readonly step: Step;
}

/** Finds the step that an id means, as seen from one run; `undefined` when the session has none. */
export type StepIndex = (id: string, from: Run) => PlacedStep | undefined;

/**
 * Indexes the steps of a session by their ids and aliases. An id is looked up in its own run first, then in the
 * earliest run that has it, then as `<run id>/<step id>`. Of equal ids in one run the first counts.
 */
export function createStepIndex(session: Session): StepIndex {
  const runs = new Map<string, Map<string, PlacedStep>>();
  const everywhere = new Map<string, PlacedStep>();
  for (const run of session.conversations) {
    const own = runs.get(run.conversation_id) ?? new Map<string, PlacedStep>();
    runs.set(run.conversation_id, own);
    for (const step of run.steps) {
      for (const id of [step.step_id, ...(step.aliases ?? [])]) {
        if (!own.has(id)) own.set(id, { run, step });
        if (!everywhere.has(id)) everywhere.set(id, { run, step });
      }
    }
  }
  return (id, from) =>
    runs.get(from.conversation_id)?.get(id) ?? everywhere.get(id) ?? findByFullId(runs, id);
}

function findByFullId(
  runs: ReadonlyMap<string, ReadonlyMap<string, PlacedStep>>,
  id: string,
): PlacedStep | undefined {
  // Both halves may hold slashes themselves.
  for (let slash = id.indexOf("/"); slash >= 0; slash = id.indexOf("/", slash + 1)) {
    const found = runs.get(id.slice(0, slash))?.get(id.slice(slash + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}
