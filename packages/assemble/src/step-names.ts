import { compareMoments } from "./span-node.ts";
import type { RunDraft, StepDraft } from "./step-draft.ts";

/** Finds steps by what programs and documents call them. */
export interface StepNames {
  /**
   * The step that `name` means when a step of `run` says it: one of its own run first, then of the earliest run
   * of the session that has it; `<run id>/<step id>` and `<trace id>/<step id>` say which run is meant. A run's own id
   * means the last step of that run.
   */
  resolve(name: string, run: RunDraft): StepDraft | undefined;
  /** The shortest name that means `step` when a step of `run` says it. Once it is settled. */
  nameFor(step: StepDraft, run: RunDraft): string;
  /**
   * Remembers what each run calls the steps that it names. Nothing is resolved any more then, and the steps of a run that is
   * told can go.
   */
  settle(): void;
  /** Nobody asks any more what this run calls a step. */
  forget(run: RunDraft): void;
}

export function createStepNames(runs: readonly RunDraft[]): StepNames {
  const runsById = new Map<string, RunDraft[]>();
  const lastSteps = new Map<RunDraft, StepDraft | undefined>();
  /** By the run that names them, where that is not by their ids. */
  const settled = new Map<RunDraft, Map<StepDraft, string>>();
  /** Until they are settled, and not before somebody asks. */
  let known: NamedSteps | undefined;
  for (const run of runs) {
    for (const id of [run.id, run.spans.traceId, `r_${run.spans.rootSpanId}`]) {
      const named = runsById.get(id);
      if (named === undefined) runsById.set(id, [run]);
      else if (named.at(-1) !== run) named.push(run);
    }
  }

  function resolve(name: string, run: RunDraft): StepDraft | undefined {
    known ??= namedIn(runs);
    const plain = known.of(name, run) ?? known.earliest(name);
    if (plain !== undefined) return plain;
    for (let slash = name.indexOf("/"); slash !== -1; slash = name.indexOf("/", slash + 1)) {
      for (const named of runsById.get(name.slice(0, slash)) ?? []) {
        const step = known.of(name.slice(slash + 1), named);
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

  function settleName(step: StepDraft, run: RunDraft): void {
    if (step.run.id === run.id && known?.hasTwins === false) return;
    if (resolve(step.id, run) === step) return;
    const names = settled.get(run) ?? new Map<StepDraft, string>();
    settled.set(run, names.set(step, `${step.run.id}/${step.id}`));
  }

  return {
    resolve,
    nameFor: (step, run) => settled.get(run)?.get(step) ?? step.id,
    settle() {
      for (const run of runs) {
        for (const { input, edges } of run.steps) {
          if (input !== undefined) for (const step of input) settleName(step, run);
          for (const { to } of edges) if (typeof to !== "string") settleName(to, run);
        }
      }
      known = undefined;
    },
    forget(run) {
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

/** The steps of runs by all that they are called. */
interface NamedSteps {
  /** The step that has the name in this run. */
  of(name: string, run: RunDraft): StepDraft | undefined;
  /** The step that has it in the earliest run where one does. */
  earliest(name: string): StepDraft | undefined;
  /** Whether two steps of a run have one id. */
  readonly hasTwins: boolean;
}

function namedIn(runs: readonly RunDraft[]): NamedSteps {
  const earliest = new Map<string, StepDraft>();
  /** What a run calls by a name that an earlier one has, too: few are. */
  const again = new Map<RunDraft, Map<string, StepDraft>>();
  let hasTwins = false;

  /** In a run the last step with an id has it; any other name is that of the first. */
  function add(name: string, step: StepDraft, isId: boolean): void {
    const known = earliest.get(name);
    if (known === undefined) {
      earliest.set(name, step);
    } else if (isId && known.run === step.run) {
      hasTwins = true;
      earliest.set(name, step);
    } else if (known.run !== step.run) {
      const own = again.get(step.run) ?? new Map<string, StepDraft>();
      again.set(step.run, own);
      if (isId && own.has(name)) hasTwins = true;
      if (isId || !own.has(name)) own.set(name, step);
    }
  }

  /** Mostly it is the step's id. */
  function addSpanName(step: StepDraft): void {
    const name = `s_${step.span.record.spanId}`;
    if (name !== step.id) add(name, step, false);
  }

  for (const { steps } of runs) {
    for (const step of steps) add(step.id, step, true);
    for (const step of steps) {
      for (const alias of step.aliases ?? NONE) add(alias, step, false);
      if (step.origin === "recorded") addSpanName(step);
      if (step.label === "tool_call" && step.callId) add(step.callId, step, false);
    }
  }
  return {
    of(name, run) {
      const step = earliest.get(name);
      return step === undefined || step.run === run ? step : again.get(run)?.get(name);
    },
    earliest: (name) => earliest.get(name),
    hasTwins,
  };
}

const NONE: Iterable<string> = [];
