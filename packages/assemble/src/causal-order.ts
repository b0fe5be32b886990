import { compareMoments } from "./span-node.ts";
import type { StepDraft } from "./step-draft.ts";

export interface CausalOrder {
  readonly steps: readonly StepDraft[];
  /** Steps that rest on themselves, by whatever way; they stand in the order of their moments. */
  readonly cyclic: readonly StepDraft[];
}

/** A step that may have to be moved. */
interface Movable {
  readonly step: StepDraft;
  /** How many it has to stand after that stand nowhere yet. */
  waitsFor: number;
  /** Those that have to stand after it. */
  waiting: Movable[] | undefined;
  isOrdered: boolean;
}

/**
 * The steps of a run so that each stands after what it rests on and after the step it happened in; where that
 * leaves a choice, in the order of their moments.
 */
export function causalOrder(steps: readonly StepDraft[]): CausalOrder {
  const sorted = steps.toSorted(byMoment);
  let place = 0;
  for (const step of sorted) step.place = place++;
  return isCausal(sorted) ? { steps: sorted, cyclic: [] } : moved(sorted);
}

/** Whether each step stands after all that it has to: the rule, and then nothing has to be moved. */
function isCausal(sorted: readonly StepDraft[]): boolean {
  const restsOn = createRestsOn();
  const isBefore = (step: StepDraft, other: StepDraft): boolean =>
    step.run !== other.run || step.place < other.place;
  for (const step of sorted) {
    const { parent, edges } = step;
    if (parent !== undefined && !isBefore(parent, step) && !restsOn(parent, step)) return false;
    for (const { to } of edges) if (typeof to !== "string" && !isBefore(to, step)) return false;
  }
  return true;
}

function moved(sorted: readonly StepDraft[]): CausalOrder {
  const all = sorted.map(
    (step): Movable => ({ step, waitsFor: 0, waiting: undefined, isOrdered: false }),
  );
  const restsOn = createRestsOn();
  const wait = (one: Movable, step: StepDraft): void => {
    const before = step.run === one.step.run ? all[step.place] : undefined;
    if (before === undefined) return;
    one.waitsFor++;
    if (before.waiting === undefined) before.waiting = [one];
    else before.waiting.push(one);
  };
  for (const one of all) {
    const { parent, edges } = one.step;
    for (const { to } of edges) if (typeof to !== "string") wait(one, to);
    if (parent !== undefined && !restsOn(parent, one.step)) wait(one, parent);
  }
  const ready = createQueue();
  for (const one of all) if (one.waitsFor === 0) ready.add(one);
  const ordered: StepDraft[] = [];
  const cyclic: StepDraft[] = [];
  let first = 0;
  while (ordered.length < all.length) {
    let next = ready.take();
    if (next === undefined) {
      while (all[first]?.isOrdered) first++;
      next = all[first];
      if (next === undefined) break;
      cyclic.push(next.step);
    }
    if (next.isOrdered) continue;
    next.isOrdered = true;
    ordered.push(next.step);
    for (const one of next.waiting ?? NOBODY) if (--one.waitsFor === 0) ready.add(one);
  }
  return { steps: ordered, cyclic };
}

const NOBODY: readonly Movable[] = [];

/** Whether a step has an edge to another: one that waits for what happened inside it comes after it. */
function createRestsOn(): (step: StepDraft, target: StepDraft) => boolean {
  const targets = new Map<StepDraft, ReadonlySet<unknown>>();
  return (step, target) => {
    const known = targets.get(step) ?? new Set(step.edges.map(({ to }) => to));
    targets.set(step, known);
    return known.has(target);
  };
}

function byMoment(a: StepDraft, b: StepDraft): number {
  return compareMoments(a.moment, b.moment) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

interface Queue {
  add(one: Movable): void;
  take(): Movable | undefined;
}

/** A binary heap: the earliest first. */
function createQueue(): Queue {
  const heap: Movable[] = [];
  const before = (a: number, b: number): boolean => {
    const one = heap[a];
    const other = heap[b];
    return one !== undefined && other !== undefined && one.step.place < other.step.place;
  };
  const swap = (a: number, b: number): void => {
    const one = heap[a];
    const other = heap[b];
    if (one === undefined || other === undefined) return;
    heap[a] = other;
    heap[b] = one;
  };
  return {
    add(one) {
      heap.push(one);
      for (let at = heap.length - 1; at > 0; ) {
        const above = (at - 1) >> 1;
        if (!before(at, above)) break;
        swap(at, above);
        at = above;
      }
    },
    take() {
      const first = heap[0];
      const last = heap.pop();
      if (heap.length === 0 || last === undefined) return first;
      heap[0] = last;
      for (let at = 0; ; ) {
        const left = 2 * at + 1;
        let least = before(left, at) ? left : at;
        if (before(left + 1, least)) least = left + 1;
        if (least === at) break;
        swap(at, least);
        at = least;
      }
      return first;
    },
  };
}
