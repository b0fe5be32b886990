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
  const restsOn = createRestsOn();
  const first = sorted.findIndex((step) => hasToMove(step, restsOn));
  return first === -1 ? { steps: sorted, cyclic: [] } : moved(sorted, first, restsOn);
}

/** Whether something stands behind a step that it has to stand after: mostly there is no such step. */
function hasToMove(step: StepDraft, restsOn: RestsOn): boolean {
  const { parent, edges } = step;
  if (parent !== undefined && isBehind(parent, step) && !restsOn(parent, step)) return true;
  for (const { to } of edges) if (typeof to !== "string" && isBehind(to, step)) return true;
  return false;
}

/** Of two steps of one run. */
function isBehind(step: StepDraft, other: StepDraft): boolean {
  return step.run === other.run && step.place >= other.place;
}

/** Those before the first that has to be moved stay where they are. */
function moved(sorted: readonly StepDraft[], start: number, restsOn: RestsOn): CausalOrder {
  const all = sorted
    .slice(start)
    .map((step): Movable => ({ step, waitsFor: 0, waiting: undefined, isOrdered: false }));
  const wait = (one: Movable, step: StepDraft): void => {
    const before = step.run === one.step.run ? all[step.place - start] : undefined;
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
  const ordered = sorted.slice(0, start);
  const cyclic: StepDraft[] = [];
  let first = 0;
  while (ordered.length < sorted.length) {
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

type RestsOn = (step: StepDraft, target: StepDraft) => boolean;

/** Whether a step has an edge to another: one that waits for what happened inside it comes after it. */
function createRestsOn(): RestsOn {
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
