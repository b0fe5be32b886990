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

function indexOf({ conversations }: Session): StepIndex {
  const byRun = new Map<Run, ReadonlyMap<string, Step>>();
  const runs = new Map<string, Run>();
  /** Most ids mean a step of their own run: made when the first does not. */
  let anywhere: ReadonlyMap<string, PlacedStep> | undefined;
  for (const run of conversations) {
    for (const id of [run.conversation_id, run.run_id, run.trace_id]) {
      if (id !== undefined && !runs.has(id)) runs.set(id, run);
    }
  }

  function stepsOf(run: Run): ReadonlyMap<string, Step> {
    const steps = byRun.get(run) ?? stepsById(run);
    byRun.set(run, steps);
    return steps;
  }

  function earliest(id: string): PlacedStep | undefined {
    if (anywhere === undefined) {
      const all = new Map<string, PlacedStep>();
      for (const run of conversations)
        for (const [known, step] of stepsOf(run))
          if (!all.has(known)) all.set(known, { run, step });
      anywhere = all;
    }
    return anywhere.get(id);
  }

  function byFullId(id: string): PlacedStep | undefined {
    // Both halves may hold slashes themselves.
    for (let slash = id.indexOf("/"); slash >= 0; slash = id.indexOf("/", slash + 1)) {
      const run = runs.get(id.slice(0, slash));
      const step = run && stepsOf(run).get(id.slice(slash + 1));
      if (run !== undefined && step !== undefined) return { run, step };
    }
    return undefined;
  }

  return (id, from) => {
    const step = stepsOf(from).get(id);
    return step === undefined ? (earliest(id) ?? byFullId(id)) : { run: from, step };
  };
}

/** By their ids and aliases; of equal ones the first. */
function stepsById({ steps }: Run): ReadonlyMap<string, Step> {
  const byId = new Map<string, Step>();
  for (const step of steps) {
    if (!byId.has(step.step_id)) byId.set(step.step_id, step);
    for (const alias of step.aliases ?? []) if (!byId.has(alias)) byId.set(alias, step);
  }
  return byId;
}
