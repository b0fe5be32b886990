import type { Run, Session, Step } from "@thoughtflow/schema";
import { createStepIndex, type StepIndex } from "@thoughtflow/schema/steps";
import { edgesOf } from "./step-edges.ts";
import { stepState } from "./step-state.ts";

/** When something was, in milliseconds since 1970, or in places of the order where times tell nothing. */
export interface TimeSpan {
  readonly start: number;
  readonly end: number;
  /** True when it had begun and its end is not known. */
  readonly open: boolean;
}

/** The times of all steps of a session. */
export interface StepTimes {
  /** False when no step has a time, or all have the same: the spans then only show the order. */
  readonly measured: boolean;
  of(step: Step): TimeSpan | undefined;
}

/**
 * When each step was. A step that doesn't know its time stands at the end of what it rests on; without that, at
 * the start of the next step of its run that knows its time; else at the end of the one before.
 */
export function stepTimes(session: Session): StepTimes {
  const { conversations: runs } = session;
  /** Of the steps that don't tell it themselves: of a large session that is a few. */
  const told = new Map<Step, TimeSpan>();
  const measured = tellTimes(runs);
  if (!measured) {
    let at = 0;
    for (const { steps } of runs)
      for (const step of steps) told.set(step, { start: at, end: at++ + 0.8, open: false });
    return { measured, of: (step) => told.get(step) };
  }
  const of = (step: Step): TimeSpan | undefined => told.get(step) ?? ownTimes(step);
  const index = createStepIndex(session);
  let before = momentOf(runs[0]?.started_at) ?? earliestIn(runs);
  for (const run of runs) before = placeRun(run, before, { index, of, told });
  return { measured, of };
}

/** Formats without times leave all steps at one moment, and what is there has no length. */
function tellTimes(runs: readonly Run[]): boolean {
  let moment: number | undefined;
  let count = 0;
  for (const { steps } of runs) {
    for (const step of steps) {
      const own = momentsOf(step);
      if (own === undefined) continue;
      const { start, end = neverEnded(step) ? Infinity : start } = own;
      moment ??= start;
      if (start !== moment || end !== moment) return true;
      count += 1;
    }
  }
  return count === 1;
}

/** When the first step began that tells it. */
function earliestIn(runs: readonly Run[]): number {
  let first = Infinity;
  for (const { steps } of runs)
    for (const step of steps) first = Math.min(first, momentsOf(step)?.start ?? first);
  return first;
}

/** What a step tells by itself; `undefined` where others have to be looked at. */
function ownTimes(step: Step): TimeSpan | undefined {
  const own = momentsOf(step);
  if (own === undefined || (own.end === undefined && neverEnded(step))) return undefined;
  const { start, end = start } = own;
  return { start, end: Math.max(start, end), open: false };
}

interface Placing {
  readonly index: StepIndex;
  readonly of: StepTimes["of"];
  readonly told: Map<Step, TimeSpan>;
}

/** Places the steps of one run; gives back the time at which it was over. */
function placeRun(run: Run, before: number, { index, of, told }: Placing): number {
  const known = run.steps.map(momentsOf);
  const begun = momentOf(run.started_at) ?? before;
  const over = known.reduce(
    (end, span) => Math.max(end, span?.end ?? span?.start ?? end),
    momentOf(run.ended_at) ?? begun,
  );
  const next: (number | undefined)[] = [];
  for (let at = run.steps.length - 1, start: number | undefined; at >= 0; at -= 1) {
    start = known[at]?.start ?? start;
    next[at] = start;
  }
  let previous = begun;
  for (const [at, step] of run.steps.entries()) {
    const own = known[at];
    const open = own !== undefined && own.end === undefined && neverEnded(step);
    const start = own?.start ?? restsUntil(run, step, index, of) ?? next[at] ?? previous;
    const end = Math.max(start, open ? over : (own?.end ?? start));
    if (own === undefined || open) told.set(step, { start, end, open });
    previous = end;
  }
  return Math.max(over, previous);
}

/** True for what was still going on when last heard of; a derived step may know its start alone and be no length. */
function neverEnded(step: Step): boolean {
  const state = stepState(step);
  return state === "running" || state === "stopped";
}

function restsUntil(
  run: Run,
  step: Step,
  index: StepIndex,
  of: StepTimes["of"],
): number | undefined {
  let latest: number | undefined;
  for (const edge of edgesOf(step)) {
    const target = index(edge.to, run);
    const end = target && of(target.step)?.end;
    if (end !== undefined) latest = Math.max(latest ?? end, end);
  }
  return latest;
}

/** What a step says of its own times; `end` is absent when it never ended. */
function momentsOf(step: Step): { readonly start: number; readonly end?: number } | undefined {
  const start = momentOf(step.started_at);
  const end = momentOf(step.ended_at);
  const duration = step.duration_ms;
  if (start !== undefined) {
    const until = end ?? (duration === undefined ? undefined : start + duration);
    return until === undefined ? { start } : { start, end: until };
  }
  return end === undefined ? undefined : { start: end - Math.max(0, duration ?? 0), end };
}

/** One step mostly begins where another ends. */
const latestMoments = new Map<string, number>();
const MOST_MOMENTS = 64;

/** Milliseconds since 1970 of an ISO time; `undefined` when there is none or it can't be read. */
export function momentOf(time: string | undefined): number | undefined {
  if (time === undefined) return undefined;
  const known = latestMoments.get(time);
  if (known !== undefined) return known;
  const moment = Date.parse(time);
  if (Number.isNaN(moment)) return undefined;
  if (latestMoments.size >= MOST_MOMENTS) latestMoments.clear();
  latestMoments.set(time, moment);
  return moment;
}
