import type { BranchResolution, Confidence, ThoughtType } from "@thoughtflow/thoughts";
import type { Dependency } from "./dependency.ts";
import type { StepReference } from "./step-reference.ts";

/** One unit of reasoning that the agent names and types. */
export interface ThoughtOptions {
  readonly thought: string;
  /** What later thoughts call it by; default `thought-<number>`. A used id becomes `<id>~2`. */
  readonly id?: string;
  /** Default `reasoning`. */
  readonly type?: ThoughtType;
  /** 0 to 1, or `high`, `medium`, `low`; kept as given. */
  readonly confidence?: Confidence;
  readonly verbosity?: string;
  readonly alternatives?: readonly string[];
  /** An earlier thought or tool call: an edge `related_to`. */
  readonly relatedTo?: string | StepReference;
  /** Default: the next on its track. */
  readonly number?: number;
  readonly totalThoughts?: number;
  /** The track beside the main one. */
  readonly branchId?: string;
  /** The number that the branch leaves from, with its first thought: an edge `branches_from`. */
  readonly branchFromThought?: number;
  /** The number of the thought that this one replaces: an edge `revises`. */
  readonly revisesThought?: number;
  /** The branches that end here: an edge `merges` to the last thought of each. */
  readonly mergesBranches?: readonly string[];
  /** What became of them: one was `selected`, all were `synthesized`, or all `abandoned`. */
  readonly resolution?: BranchResolution;
  /** The branch that was selected. */
  readonly selectedBranch?: string;
  readonly tags?: readonly string[];
  /** The extra data of a type by its own name: `options`, `actionResult`, `beliefs`, `progressData` … */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly dependsOn?: Dependency | readonly Dependency[];
}
