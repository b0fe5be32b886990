import type { Run, Step } from "@thoughtflow/schema";

/** A box of a drawing: one step, or the several that a fold stands for. */
export interface FlowBox {
  /** Generated, unique in the graph: `r1s3`. */
  readonly id: string;
  readonly steps: readonly Step[];
  /** What a reader looks up about its step, a line each; empty for a fold. */
  readonly tooltip: string;
  /** Of a step that a later one revises: the id of that one. */
  readonly revisedBy?: string;
}

/** The step of a box; `undefined` for a fold. */
export function stepOf({ steps }: FlowBox): Step | undefined {
  return steps.length === 1 ? steps[0] : undefined;
}

/** A run and its boxes; or, when folded, one box that stands for a run or for many. */
export interface FlowLane {
  /** Generated, unique in the graph: `r1`. */
  readonly id: string;
  /** Place of the (first) run in the session, from 1. */
  readonly number: number;
  readonly runs: readonly Run[];
  /** True when the lane itself is a box and its steps are not drawn. */
  readonly folded: boolean;
  readonly boxes: readonly FlowBox[];
}
