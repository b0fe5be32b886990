import type { Run, Step } from "@thoughtflow/schema";
import type { RunStretch } from "./run-stretches.ts";
import type { StepWords } from "./step-words.ts";

/** A box of a drawing: one step, or the several that a fold stands for. */
export type FlowBox = StepBox | FoldBox;

/** A box of one step. */
export interface StepBox extends AnyBox {
  readonly step: Step;
  readonly words: StepWords;
  /** The id of the later step that revises it. */
  readonly revisedBy?: string;
}

/** A box of several steps. */
export interface FoldBox extends AnyBox {
  readonly step?: undefined;
  /** What is known of them where they are not there. */
  readonly stretch?: RunStretch;
}

interface AnyBox {
  /** Generated, unique in the graph: `r1s3`. */
  readonly id: string;
  /** In the order of the run. */
  readonly steps: readonly Step[];
}

/** A run and its boxes; or, when folded, one box that stands for a run or for many. */
export interface FlowLane {
  /** Generated, unique in the graph: `r1`. */
  readonly id: string;
  /** Place of the (first) run in the session, from 1. */
  readonly number: number;
  readonly runs: readonly Run[];
  /** How many they are: one may stand for many. */
  readonly count: number;
  /** True when the lane itself is a box and its steps are not drawn. */
  readonly folded: boolean;
  readonly boxes: readonly FlowBox[];
}
