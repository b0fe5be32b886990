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
  /** Runs by their ids and traces: made when the first id names one. */
  let runs: ReadonlyMap<string, Run> | undefined;
  const earliest = new Map<string, PlacedStep>();
  /** What a run calls by a name that an earlier one has, too: few are. */
  const again = new Map<Run, Map<string, PlacedStep>>();
  for (const run of conversations) {
    for (const step of run.steps) {
      const placed = { run, step };
      add(step.step_id, placed);
      if (step.aliases !== undefined) for (const alias of step.aliases) add(alias, placed);
    }
  }

  /** Of equal names in a run the first counts. */
  function add(name: string, placed: PlacedStep): void {
    const known = earliest.get(name);
    if (known === undefined) {
      earliest.set(name, placed);
    } else if (known.run !== placed.run) {
      const own = again.get(placed.run) ?? new Map<string, PlacedStep>();
      again.set(placed.run, own);
      if (!own.has(name)) own.set(name, placed);
    }
  }

  function find(id: string, run: Run): PlacedStep | undefined {
    const step = earliest.get(id);
    return step === undefined || step.run === run ? step : again.get(run)?.get(id);
  }

  function byFullId(id: string): PlacedStep | undefined {
    runs ??= runsById(conversations);
    // Both halves may hold slashes themselves.
    for (let slash = id.indexOf("/"); slash >= 0; slash = id.indexOf("/", slash + 1)) {
      const run = runs.get(id.slice(0, slash));
      const step = run && find(id.slice(slash + 1), run);
      if (step !== undefined) return step;
    }
    return undefined;
  }

  return (id, from) => find(id, from) ?? earliest.get(id) ?? byFullId(id);
}

function runsById(conversations: readonly Run[]): ReadonlyMap<string, Run> {
  const runs = new Map<string, Run>();
  for (const run of conversations) {
    for (const id of [run.conversation_id, run.run_id, run.trace_id]) {
      if (id !== undefined && !runs.has(id)) runs.set(id, run);
    }
  }
  return runs;
}
