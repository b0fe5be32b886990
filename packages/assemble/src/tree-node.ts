import type { Atom } from "@thoughtflow/workflow";
import type { StepDraft } from "./step-draft.ts";

/** One message piece in one conversation: its step, and what came before it. */
export interface TreeNode {
  readonly parent: TreeNode | undefined;
  /** What tells it apart from what else may stand there. */
  readonly atom: Pick<Atom, "key">;
  readonly kind: Atom["kind"] | "start" | "severed";
  /** Absent at the start of a conversation. */
  readonly step: StepDraft | undefined;
  /** Pieces from the start to this one. */
  readonly depth: number;
  /** How many of them people said. */
  readonly users: number;
  /** What goes on from here, mostly one. */
  next: readonly TreeNode[];
  /** The same by atom key, once there are two: more than one where the same words began two runs. */
  nextByKey: Map<string, TreeNode[]> | undefined;
  /** Counts the nodes of a tree, in the order in which they came. */
  readonly number: number;
  /** Whether no other node of the tree is reached by the same pieces, nor any of those above it. */
  isOnly: boolean;
  /** Absent where no other node of the tree is reached by the same pieces. */
  twins: TwinNodes | undefined;
  /** The model call whose answer ends here. */
  answerOf: StepDraft | undefined;
  /** Model calls whose input ends here. */
  askedBy: StepDraft[] | undefined;
}

/** The nodes that are reached by the same pieces. */
export interface TwinNodes {
  /** The last child of the last of the parents that have one here. */
  latest: TreeNode;
  /** Where any of them goes on to, one for each atom key. */
  readonly next: Map<string, TreeNode>;
}
