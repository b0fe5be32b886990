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
 * earliest run that has it, then as `<run id>/<step id>` or `<trace id>/<step id>`. Of equal ids in one run the
 * first counts. `from` is one of the session's own runs. A session is indexed once: it must not change any more.
 */
export function createStepIndex(session: Session): StepIndex {
  const known = indexes.get(session);
  if (known !== undefined) return known;
  const made = indexOf(session);
  indexes.set(session, made);
  return made;
}

/** Every drawing of a session asks for it. */
const indexes = new WeakMap<Session, StepIndex>();

function indexOf(session: Session): StepIndex {
  const byRun = new Map<Run, ReadonlyMap<string, PlacedStep>>();
  const anywhere = new Map<string, PlacedStep>();
  const runs = new Map<string, Run>();
  for (const run of session.conversations) {
    const own = new Map<string, PlacedStep>();
    byRun.set(run, own);
    for (const step of run.steps) {
      const placed = { run, step };
      for (const id of [step.step_id, ...(step.aliases ?? [])]) {
        if (!own.has(id)) own.set(id, placed);
        if (!anywhere.has(id)) anywhere.set(id, placed);
      }
    }
    for (const id of [run.conversation_id, run.run_id, run.trace_id]) {
      if (id !== undefined && !runs.has(id)) runs.set(id, run);
    }
  }

  function byFullId(id: string): PlacedStep | undefined {
    // Both halves may hold slashes themselves.
    for (let slash = id.indexOf("/"); slash >= 0; slash = id.indexOf("/", slash + 1)) {
      const run = runs.get(id.slice(0, slash));
      const found = run && byRun.get(run)?.get(id.slice(slash + 1));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  return (id, from) => byRun.get(from)?.get(id) ?? anywhere.get(id) ?? byFullId(id);
}
