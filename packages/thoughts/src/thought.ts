import type { Confidence } from "@thoughtflow/schema/steps";
import type { ThoughtType } from "./thought-type.ts";

/** What becomes of branches that a thought merges. */
export type BranchResolution = "selected" | "synthesized" | "abandoned" | (string & {});

/**
 * What a step with label `thought` holds, under the names by which programs and models give it: snake_case from
 * the `think_aloud` tool, camelCase from Thoughtbox. Other fields are kept.
 */
export interface Thought {
  readonly thought: string;
  readonly thought_id?: string;
  readonly thought_type?: ThoughtType;
  /** The id of the thought or tool call that this one is about. */
  readonly related_to?: string;
  readonly confidence?: Confidence;
  readonly verbosity?: "brief" | "normal" | "detailed" | (string & {});
  readonly alternatives?: readonly string[];

  /** From 1; given when recorded, never changed. */
  readonly thoughtNumber?: number;
  /** An estimate of the thinker. */
  readonly totalThoughts?: number;
  /** Absent on the main track. */
  readonly branchId?: string;
  /** The number of the thought at which the branch begins: of the main track where that has one. */
  readonly branchFromThought?: number;
  readonly isRevision?: boolean;
  /** The number of the thought that this one revises. */
  readonly revisesThought?: number;
  /** The branches that end in this thought. */
  readonly mergesBranches?: readonly string[];
  /** What became of them: one was `selected`, all were `synthesized`, or all `abandoned`. */
  readonly resolution?: BranchResolution;
  /** The branch that was selected. */
  readonly selectedBranch?: string;
  readonly tags?: readonly string[];

  /** Fields of `decision_frame`, `action_report`, `belief_snapshot` and so on, as given. */
  readonly options?: unknown;
  readonly actionResult?: unknown;
  readonly beliefs?: unknown;
  readonly assumptionChange?: unknown;
  readonly contextData?: unknown;
  readonly progressData?: unknown;
}
