import { compareMoments } from "./span-node.ts";
import type { StepDraft } from "./step-draft.ts";

export interface CausalOrder {
  readonly steps: readonly StepDraft[];
  /** Steps that rest on themselves, by whatever way; they stand in the order of their moments. */
  readonly cyclic: readonly StepDraft[];
}

/** A step at its place in the order of moments. */
interface Placed {
  readonly step: StepDraft;
  readonly at: number;
  /** How many it has to stand after that stand nowhere yet. */
  waitsFor: number;
  /** Those that have to stand after it. */
  waiting: Placed[] | undefined;
  isOrdered: boolean;
}

type Places = ReadonlyMap<StepDraft, Placed>;

/**
 * The steps of a run so that each stands after what it rests on and after the step it happened in; where that
 * leaves a choice, in the order of their moments.
 */
export function causalOrder(steps: readonly StepDraft[]): CausalOrder {
  const sorted = steps.toSorted(byMoment);
  const places = new Map<StepDraft, Placed>();
  for (const step of sorted)
    places.set(step, {
      step,
      at: places.size,
      waitsFor: 0,
      waiting: undefined,
      isOrdered: false,
    });
  return isCausal(places) ? { steps: sorted, cyclic: [] } : moved(places);
}

/** Whether each step stands after all that it has to: the rule, and then nothing has to be moved. */
function isCausal(places: Places): boolean {
  const restsOn = createRestsOn();
  for (const { step, at } of places.values()) {
    const { parent, edges } = step;
    const around = parent && places.get(parent);
    if (parent && around && around.at >= at && !restsOn(parent, step)) return false;
    for (const { to } of edges) {
      const before = typeof to === "string" ? undefined : places.get(to);
      if (before !== undefined && before.at >= at) return false;
    }
  }
  return true;
}

function moved(places: Places): CausalOrder {
  const restsOn = createRestsOn();
  for (const placed of places.values()) {
    const { parent, edges } = placed.step;
    for (const { to } of edges) if (typeof to !== "string") wait(placed, places.get(to));
    if (parent !== undefined && !restsOn(parent, placed.step)) wait(placed, places.get(parent));
  }
  const ready = createQueue();
  for (const placed of places.values()) if (placed.waitsFor === 0) ready.add(placed);
  const ordered: StepDraft[] = [];
  const cyclic: StepDraft[] = [];
  const all = [...places.values()];
  let first = 0;
  while (ordered.length < all.length) {
    let placed = ready.take();
    if (placed === undefined) {
      while (all[first]?.isOrdered) first++;
      placed = all[first];
      if (placed === undefined) break;
      cyclic.push(placed.step);
    }
    if (placed.isOrdered) continue;
    placed.isOrdered = true;
    ordered.push(placed.step);
    for (const next of placed.waiting ?? NOBODY) if (--next.waitsFor === 0) ready.add(next);
  }
  return { steps: ordered, cyclic };
}

const NOBODY: readonly Placed[] = [];

function wait(placed: Placed, before: Placed | undefined): void {
  if (before === undefined) return;
  placed.waitsFor++;
  if (before.waiting === undefined) before.waiting = [placed];
  else before.waiting.push(placed);
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
  add(placed: Placed): void;
  take(): Placed | undefined;
}

/** A binary heap: the earliest first. */
function createQueue(): Queue {
  const heap: Placed[] = [];
  const before = (a: number, b: number): boolean => {
    const one = heap[a];
    const other = heap[b];
    return one !== undefined && other !== undefined && one.at < other.at;
  };
  const swap = (a: number, b: number): void => {
    const one = heap[a];
    const other = heap[b];
    if (one === undefined || other === undefined) return;
    heap[a] = other;
    heap[b] = one;
  };
  return {
    add(placed) {
      heap.push(placed);
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
