import type { ThoughtLedger } from "@thoughtflow/thoughts";
import type { RunDraft } from "./step-draft.ts";

/** What a stretch of a session knows of the runs before it: some of them are there, to be gone on from. */
export interface EarlierRuns {
  has(run: RunDraft): boolean;
  /** The thoughts of all runs before. */
  readonly thoughts: ThoughtLedger;
  /** Hears of a tool call that is answered and not there. */
  missesCall(callId: string): void;
  /** Hears of the stretch's own runs before their edges are let go. */
  look(runs: readonly RunDraft[]): void;
}
