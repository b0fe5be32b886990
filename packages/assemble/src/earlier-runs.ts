import type { ThoughtLedger } from "@thoughtflow/thoughts";
import type { TreeNode } from "./conversation-tree.ts";
import { NotSeparableError } from "./not-separable-error.ts";
import type { RunDraft, StepDraft } from "./step-draft.ts";

/** What a stretch of a session knows of the runs before it: some of them are there, to be gone on from. */
export interface EarlierRuns {
  has(run: RunDraft): boolean;
  /** The id of the last of them, there or not; `undefined` before the first stretch's end. */
  readonly lastRun: string | undefined;
  /** Of those that are there. */
  isLastThought(step: StepDraft): boolean;
  /** The thoughts of all runs before. */
  readonly thoughts: ThoughtLedger;
  /** The snapshots whose whole content the runs before have told. */
  readonly toldSnapshots: Set<string>;
  /** Hears of a tool call that is asked for or answered, and not there. */
  missesCall(callId: string): void;
  /** Hears of the stretch's own runs before their edges are let go. */
  look(runs: readonly RunDraft[]): void;
}

/** Throws where a run of the stretch looks at what stands above a conversation of which only the end is there. */
export function lookAt(node: TreeNode, run: RunDraft, earlier: EarlierRuns | undefined): void {
  if (node.kind === "severed" && earlier?.has(run) === false)
    throw new NotSeparableError("a call rests on more than the one that it goes on from");
}
