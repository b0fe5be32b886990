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
  /** The shortest name that means `step` when a step of `run` says it. */
  nameFor(step: StepDraft, run: RunDraft): string;
}

export function createStepNames(runs: readonly RunDraft[]): StepNames {
  const byRun = new Map<RunDraft, Map<string, StepDraft>>();
  const anywhere = new Map<string, StepDraft>();
  const runsById = new Map<string, RunDraft[]>();
  const lastSteps = new Map<RunDraft, StepDraft | undefined>();
  for (const run of runs) {
    const names = new Map<string, StepDraft>();
    for (const step of run.steps) names.set(step.id, step);
    for (const step of run.steps) {
      for (const alias of [...(step.aliases ?? []), ...ownAliases(step)])
        if (!names.has(alias)) names.set(alias, step);
    }
    byRun.set(run, names);
    for (const [name, step] of names) if (!anywhere.has(name)) anywhere.set(name, step);
    for (const id of [run.id, run.spans.traceId, `r_${run.spans.rootSpanId}`]) {
      const known = runsById.get(id);
      if (known === undefined) runsById.set(id, [run]);
      else if (!known.includes(run)) known.push(run);
    }
  }

  function resolve(name: string, run: RunDraft): StepDraft | undefined {
    const plain = byRun.get(run)?.get(name) ?? anywhere.get(name);
    if (plain !== undefined) return plain;
    for (let slash = name.indexOf("/"); slash !== -1; slash = name.indexOf("/", slash + 1)) {
      for (const named of runsById.get(name.slice(0, slash)) ?? []) {
        const step = byRun.get(named)?.get(name.slice(slash + 1));
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

  return {
    resolve,
    nameFor: (step, run) =>
      resolve(step.id, run) === step ? step.id : `${step.run.id}/${step.id}`,
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

function ownAliases(step: StepDraft): readonly string[] {
  const called = step.label === "tool_call" && step.callId ? [step.callId] : [];
  return step.origin === "recorded" ? [`s_${step.span.record.spanId}`, ...called] : called;
}
