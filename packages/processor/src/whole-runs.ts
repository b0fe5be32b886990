import { joinedRuns } from "@thoughtflow/assemble";
import { createAskedAgents } from "@thoughtflow/render";
import type { Run, Step } from "@thoughtflow/schema";
import { RunInTexts } from "@thoughtflow/schema/document-parts";

/** The runs of a stretch. */
export interface ToldRuns {
  readonly runs: readonly Run[];
  /** The first run of the next stretch goes on with the last of them. */
  readonly isContinued: boolean;
}

/** A run that was told slice by slice. */
export class JoinedRun extends RunInTexts {
  /** Of its steps the first that people said, not one agent to another. */
  readonly said: readonly Step[];

  constructor(run: Run, stepTexts: Iterable<string>, said: readonly Step[]) {
    super(run, stepTexts);
    this.said = said;
  }
}

/** Of a run whose slices are joined so many messages are known besides its texts: some may have no words. */
const MOST_SAID = 20;

/**
 * The runs of a session's stretches, in order. What stands before a run's steps is known when all of it was told: the steps of one that goes
 * over several stretches are held until then.
 *
 * @param hold takes steps up to the last one, and gives them back as they stand in the file
 */
export function* wholeRuns(
  stretches: Iterator<ToldRuns>,
  hold: (steps: Iterable<Step>) => Iterable<string>,
): Generator<Run | JoinedRun> {
  const next = (): ToldRuns | undefined => stretches.next().value ?? undefined;
  for (let told = next(); told !== undefined; ) {
    const { runs, isContinued } = told;
    const last = isContinued ? runs.at(-1) : undefined;
    yield* last === undefined ? runs : runs.slice(0, -1);
    if (last === undefined) {
      told = next();
      continue;
    }
    const slices = joinedSlices(last, next);
    const stepTexts = hold(slices.steps);
    yield new JoinedRun(slices.run, stepTexts, slices.said);
    told = slices.behind ?? next();
  }
}

/** A run that goes on in the next stretches. */
interface JoinedSlices {
  readonly steps: Iterable<Step>;
  /** All but its steps, as far as those were taken. */
  readonly run: Run;
  /** Of the steps that were taken the first that people said. */
  readonly said: readonly Step[];
  /** What the stretch holds besides in which it ends; `undefined` where it goes on. */
  readonly behind: ToldRuns | undefined;
}

function joinedSlices(first: Run, next: () => ToldRuns | undefined): JoinedSlices {
  let run: Run = { ...first, steps: [] };
  let behind: ToldRuns | undefined;
  const said: Step[] = [];
  const isOfAsked = createAskedAgents();
  const look = ({ steps }: Run): readonly Step[] => {
    for (const step of steps) {
      if (said.length === MOST_SAID) break;
      if (!isOfAsked(step) && step.label === "user_message") said.push(step);
    }
    return steps;
  };
  function* steps(): Generator<Step> {
    yield* look(first);
    while (behind === undefined) {
      const told = next();
      const [more, ...others] = told?.runs ?? [];
      if (told === undefined || more === undefined) throw new Error("a run does not go on");
      run = joinedRuns(run, more);
      yield* look(more);
      if (others.length > 0 || !told.isContinued)
        behind = { runs: others, isContinued: told.isContinued };
    }
  }
  return {
    said,
    steps: steps(),
    get run() {
      return run;
    },
    get behind() {
      return behind;
    },
  };
}
