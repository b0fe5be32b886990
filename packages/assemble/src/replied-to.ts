import { localCommand, programWords } from "@thoughtflow/workflow";
import { membersOf } from "./payload.ts";
import type { StepDraft } from "./step-draft.ts";
import type { TreeNode } from "./tree-node.ts";

/**
 * The answer that a person replies to: the one before, also where a command that they gave the program, or what that gave, stands
 * between. `undefined` where something else does.
 *
 * @param above What stands before the words of the person
 */
export function repliedTo(above: TreeNode): StepDraft | undefined {
  let at: TreeNode | undefined = above;
  while (at?.kind === "user" && isOfCommand(at)) at = at.parent;
  return at?.kind === "assistant" ? at.step : undefined;
}

function isOfCommand({ step }: TreeNode): boolean {
  const text = membersOf(step?.payloadStarted)?.["text"];
  if (typeof text !== "string") return false;
  return localCommand(text) !== undefined || programWords(text) !== undefined;
}
