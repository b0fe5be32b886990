import { compareMoments } from "./span-node.ts";
import { namedBy, type RunDraft, type StepDraft } from "./step-draft.ts";

/** Finds steps by what programs and documents call them. */
export interface StepNames {
  /**
   * The step that `name` means when a step of `run` says it: one of its own run first, then of the earliest run
   * of the session that has it; `<run id>/<step id>` and `<trace id>/<step id>` say which run is meant. A run's own id
   * means the last step of that run.
   */
  resolve(name: string, run: RunDraft): StepDraft | undefined;
  /** The shortest name that means `step` when a step of `run` says it. */
  nameFor(step: StepDraft, run: RunDraft): string;
  /**
   * Remembers what each run calls those steps of others that it names. Nothing is resolved any more then, and the steps of a
   * run that is told can go.
   */
  settle(): void;
  /** Nobody asks any more what this run calls a step. */
  forget(run: RunDraft): void;
}

export function createStepNames(runs: readonly RunDraft[]): StepNames {
  const byRun = new Map<RunDraft, ReadonlyMap<string, StepDraft>>();
  /** By the run that names them. */
  const settled = new Map<RunDraft, ReadonlyMap<StepDraft, string>>();
  /** Of every name the earliest step, once a step names one of another run. */
  let anywhere: ReadonlyMap<string, StepDraft> | undefined;
  const runsById = new Map<string, RunDraft[]>();
  const lastSteps = new Map<RunDraft, StepDraft | undefined>();
  for (const run of runs) {
    for (const id of [run.id, run.spans.traceId, `r_${run.spans.rootSpanId}`]) {
      const known = runsById.get(id);
      if (known === undefined) runsById.set(id, [run]);
      else if (known.at(-1) !== run) known.push(run);
    }
  }

  function namesOf(run: RunDraft): ReadonlyMap<string, StepDraft> {
    const names = byRun.get(run) ?? namesIn(run);
    byRun.set(run, names);
    return names;
  }

  function earliest(name: string): StepDraft | undefined {
    if (anywhere === undefined) {
      const all = new Map<string, StepDraft>();
      for (const run of runs)
        for (const [known, step] of namesOf(run)) if (!all.has(known)) all.set(known, step);
      anywhere = all;
    }
    return anywhere.get(name);
  }

  function resolve(name: string, run: RunDraft): StepDraft | undefined {
    const plain = namesOf(run).get(name) ?? earliest(name);
    if (plain !== undefined) return plain;
    for (let slash = name.indexOf("/"); slash !== -1; slash = name.indexOf("/", slash + 1)) {
      for (const named of runsById.get(name.slice(0, slash)) ?? []) {
        const step = namesOf(named).get(name.slice(slash + 1));
        if (step !== undefined) return step;
      }
    }
    const other = runsById.get(name)?.find((named) => named !== run);
    return other === undefined ? undefined : lastStepOf(other);
  }

  function lastStepOf(run: RunDraft): StepDraft | undefined {
    if (!lastSteps.has(run)) lastSteps.set(run, lastStep(run));
    return lastSteps.get(run);
  }

  function shortestName(step: StepDraft, run: RunDraft): string {
    return resolve(step.id, run) === step ? step.id : `${step.run.id}/${step.id}`;
  }

  return {
    resolve,
    nameFor: (step, run) => settled.get(run)?.get(step) ?? shortestName(step, run),
    settle() {
      for (const run of runs) {
        const others = new Map<StepDraft, string>();
        for (const step of run.steps.flatMap(namedBy))
          if (step.run !== run) others.set(step, shortestName(step, run));
        if (others.size > 0) settled.set(run, others);
      }
      byRun.clear();
      anywhere = undefined;
    },
    forget(run) {
      byRun.delete(run);
      settled.delete(run);
    },
  };
}

/** `<trace id>/<step id>` names a step of another session. */
export function isElsewhere(id: string): boolean {
  return /^[0-9a-f]{32}\/./.test(id);
}

/** What a run came to. */
function lastStep({ steps }: RunDraft): StepDraft | undefined {
  return steps.toSorted((a, b) => compareMoments(a.moment, b.moment)).at(-1);
}

/** What the steps of a run are called: their ids first, then what else they are known by. */
function namesIn({ steps }: RunDraft): ReadonlyMap<string, StepDraft> {
  const names = new Map<string, StepDraft>();
  for (const step of steps) names.set(step.id, step);
  for (const step of steps) {
    for (const alias of step.aliases ?? []) addName(names, alias, step);
    if (step.origin === "recorded") addName(names, `s_${step.span.record.spanId}`, step);
    if (step.label === "tool_call" && step.callId) addName(names, step.callId, step);
  }
  return names;
}

function addName(names: Map<string, StepDraft>, name: string, step: StepDraft): void {
  if (!names.has(name)) names.set(name, step);
}
