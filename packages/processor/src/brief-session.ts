import type { RunTie } from "@thoughtflow/assemble";
import {
  createRunStretches,
  MOST_BOXES,
  type RenderOptions,
  type RunStretch,
  runWords,
} from "@thoughtflow/render";
import type { Run, Session, Step } from "@thoughtflow/schema";

/** A long session on its way into pictures that show each run as one box, and those in the middle, where they are too many, as one. */
export interface BriefSession {
  /**
   * A run that is told slice by slice comes once, as its first steps and all that is said of it.
   *
   * @param stretches What is known of its steps. Default: it has them all.
   */
  add(run: Run, stretches?: readonly RunStretch[]): void;
  /** Of the runs that were added. */
  tie(ties: readonly RunTie[]): void;
  /**
   * The document with runs that hold nothing but what was said first and the steps by which they hang together, of those in the
   * middle one.
   */
  session(head: Session): Session;
  /** How the pictures show it. */
  readonly options: RenderOptions;
}

/** So many runs at the beginning, and as many at the end, may have a box of their own. */
const EACH = MOST_BOXES / 2;
/** Of what was said. */
const CHARACTERS = 120;
/** More runs tell by their own boxes what was done when. */
const MOST_TOLD = 5;

/** Holds no more than the pictures show, however many runs there are. */
export function createBriefSession(): BriefSession {
  const first = new Map<string, Run>();
  const last = new Map<string, Run>();
  /** Stands for all runs between. */
  let middle: Run | undefined;
  let merged = 0;
  let ties = new Map<string, RunTie>();
  const stretches = new Map<string, readonly RunStretch[]>();

  function merge(run: Run): void {
    merged++;
    middle = {
      ...(middle ?? run),
      ...timesOf(middle ?? run, run),
      steps: [],
    };
  }

  function tell({ conversation_id: id }: Run, told: readonly RunStretch[]): void {
    if (stepsIn(told) > MOST_BOXES) stretches.set(id, told);
  }

  const homeOf = (run: string): Run | undefined => first.get(run) ?? last.get(run) ?? middle;

  /** Lets go of what lies within the middle. */
  function settle(): void {
    const before = ties;
    ties = new Map();
    for (const { from, to, edge } of before.values()) {
      const [above, below] = [homeOf(from.run), homeOf(to.run)];
      if (above === undefined || below === undefined) continue;
      const tie: RunTie = {
        from: above === middle ? { ...from, run: above.conversation_id, step: from.label } : from,
        to: below === middle ? { ...to, run: below.conversation_id, step: to.label } : to,
        edge,
      };
      if (above !== middle || below !== middle) ties.set(keyOf(tie), tie);
    }
  }

  return {
    get options() {
      const standsFor = new Map(middle && [[middle.conversation_id, merged]]);
      return { areRunsFolded: true, standsFor, stretches };
    },
    add(run, told) {
      if (first.size < MOST_TOLD) tell(run, told ?? stretchesOf(run));
      else stretches.clear();
      (first.size < EACH ? first : last).set(run.conversation_id, briefRun(run));
    },
    tie(more) {
      for (const tie of more) ties.set(keyOf(tie), tie);
      if (last.size < 2 * EACH) return;
      for (const [id, run] of last) {
        if (last.size <= EACH) break;
        last.delete(id);
        merge(run);
      }
      settle();
    },
    session(head) {
      settle();
      const steps = stepsOf([...ties.values()]);
      const whole = (run: Run): Run => ({ ...run, steps: [...run.steps, ...tied(run, steps)] });
      const conversations = [...first.values()].map(whole);
      if (middle !== undefined) conversations.push(whole(middle));
      for (const run of last.values()) conversations.push(whole(run));
      return { ...head, conversations };
    },
  };
}

function stretchesOf({ steps }: Run): readonly RunStretch[] {
  const stretches = createRunStretches();
  for (const step of steps) stretches.add(step);
  return stretches.stretches;
}

function stepsIn(stretches: readonly RunStretch[]): number {
  return stretches.reduce((sum, { steps }) => sum + steps, 0);
}

/** What was said first stands for all steps of a run, and for their times. */
function briefRun(run: Run): Run {
  const text = runWords(run, CHARACTERS);
  const said: Step = {
    ...{ step_id: "said", label: "user_message", payload_started: { text } },
    ...timesOf(run, run),
  };
  return { ...run, steps: text === undefined ? [] : [said] };
}

/** The steps of a run by which it hangs together with others. */
function tied(run: Run, steps: ReadonlyMap<string, ReadonlyMap<string, Step>>): readonly Step[] {
  const times = timesOf(run, run);
  return [...(steps.get(run.conversation_id)?.values() ?? [])].map((step) => ({
    ...step,
    ...times,
  }));
}

/** The steps by which runs hang together, by run and step. */
function stepsOf(ties: readonly RunTie[]): ReadonlyMap<string, ReadonlyMap<string, Step>> {
  const byRun = new Map<string, Map<string, Step>>();
  const stepAt = ({ run, step: id, label }: RunTie["from"]): Step => {
    const steps = byRun.get(run) ?? new Map<string, Step>();
    byRun.set(run, steps);
    const step = steps.get(id) ?? { step_id: id, label };
    steps.set(id, step);
    return step;
  };
  for (const { from, to, edge } of ties) {
    const step = stepAt(from);
    stepAt(to);
    step.edges = [...(step.edges ?? []), { to: `${to.run}/${to.step}`, ...edge }];
  }
  return byRun;
}

function keyOf({ from, to, edge }: RunTie): string {
  return [from.run, from.step, to.run, to.step, edge.type, edge.origin, edge.confidence].join(" ");
}

/** From the first beginning to the last end, both as ISO 8601 in UTC. */
function timesOf(a: Run, b: Run): Pick<Run, "started_at" | "ended_at"> {
  const [start] = [a.started_at, b.started_at].filter((time) => time !== undefined).toSorted();
  const end = [a.ended_at, b.ended_at]
    .filter((time) => time !== undefined)
    .toSorted()
    .at(-1);
  return {
    ...(start !== undefined && { started_at: start }),
    ...(end !== undefined && { ended_at: end }),
  };
}
