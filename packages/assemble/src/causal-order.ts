import { compareMoments } from "./span-node.ts";
import type { StepDraft } from "./step-draft.ts";

export interface CausalOrder {
  readonly steps: readonly StepDraft[];
  /** Steps that rest on themselves, by whatever way; they stand in the order of their moments. */
  readonly cyclic: readonly StepDraft[];
}

/**
 * The steps of a run so that each stands after what it rests on and after the step it happened in; where that
 * leaves a choice, in the order of their moments.
 */
export function causalOrder(steps: readonly StepDraft[]): CausalOrder {
  const sorted = steps.toSorted(byMoment);
  if (isCausal(sorted)) return { steps: sorted, cyclic: [] };
  const waitsFor = new Map<StepDraft, number>();
  const waiting = new Map<StepDraft, StepDraft[]>();
  const members = new Set(steps);
  const restsOn = createRestsOn();
  for (const step of steps) {
    const before = new Set<StepDraft>();
    for (const { to } of step.edges) if (typeof to !== "string" && members.has(to)) before.add(to);
    if (step.parent !== undefined && members.has(step.parent) && !restsOn(step.parent, step))
      before.add(step.parent);
    waitsFor.set(step, before.size);
    for (const one of before) {
      const list = waiting.get(one);
      if (list === undefined) waiting.set(one, [step]);
      else list.push(step);
    }
  }
  const ready = createQueue();
  const left = new Set(sorted);
  for (const step of left) if (waitsFor.get(step) === 0) ready.add(step);
  const ordered: StepDraft[] = [];
  const cyclic: StepDraft[] = [];
  while (left.size > 0) {
    let step = ready.take();
    if (step === undefined) {
      [step] = left;
      if (step === undefined) break;
      cyclic.push(step);
    }
    if (!left.delete(step)) continue;
    ordered.push(step);
    for (const next of waiting.get(step) ?? []) {
      const count = (waitsFor.get(next) ?? 0) - 1;
      waitsFor.set(next, count);
      if (count === 0 && left.has(next)) ready.add(next);
    }
  }
  return { steps: ordered, cyclic };
}

/** Whether each step stands after all that it has to: the rule, and then nothing has to be moved. */
function isCausal(steps: readonly StepDraft[]): boolean {
  const members = new Set(steps);
  const seen = new Set<StepDraft>();
  const restsOn = createRestsOn();
  return steps.every((step) => {
    const { parent } = step;
    if (parent !== undefined && members.has(parent) && !seen.has(parent) && !restsOn(parent, step))
      return false;
    seen.add(step);
    return step.edges.every(({ to }) => typeof to === "string" || seen.has(to) || !members.has(to));
  });
}

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
  add(step: StepDraft): void;
  take(): StepDraft | undefined;
}

/** A binary heap: the earliest first. */
function createQueue(): Queue {
  const heap: StepDraft[] = [];
  const before = (a: number, b: number): boolean => {
    const [one, other] = [heap[a], heap[b]];
    return one !== undefined && other !== undefined && byMoment(one, other) < 0;
  };
  const swap = (a: number, b: number): void => {
    const [one, other] = [heap[a], heap[b]];
    if (one === undefined || other === undefined) return;
    heap[a] = other;
    heap[b] = one;
  };
  return {
    add(step) {
      heap.push(step);
      for (let at = heap.length - 1; at > 0; ) {
        const above = (at - 1) >> 1;
        if (!before(at, above)) break;
        swap(at, above);
        at = above;
      }
    },
    take() {
      const [first] = heap;
      const last = heap.pop();
      if (heap.length === 0 || last === undefined) return first;
      heap[0] = last;
      for (let at = 0; ; ) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        let least = before(left, at) ? left : at;
        if (before(right, least)) least = right;
        if (least === at) break;
        swap(at, least);
        at = least;
      }
      return first;
    },
  };
}
