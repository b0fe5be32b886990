import type { TreeNode } from "./tree-node.ts";

/** A piece of a history. Its key is made when it is asked for. */
interface Piece extends Pick<TreeNode["atom"], "key"> {
  readonly kind: TreeNode["kind"];
}

/**
 * Whether a history may call a call so that an answer asked for under another id. Of the two ids that a call has in the Responses API,
 * Traceloop's instrumentations send the item's back in histories; Gemini CLI puts the tool's name before the id that it sends.
 */
export function isOtherId(id: string, key: string): boolean {
  return (
    key.startsWith("call ") && (id.startsWith("fc_") || (id !== "" && key.endsWith(`__${id}`)))
  );
}

/** Whether a call may be known by such an id to others. */
export function hasOtherId(piece: Piece): boolean {
  return piece.kind === "tool_call" && piece.key.includes("__");
}

/** Whether a call may have another id where it was asked for. @param hasOtherIds whether any may be known so */
export function mayBeOtherwise(piece: Piece, hasOtherIds: boolean): boolean {
  return piece.kind === "tool_call" && (hasOtherIds || piece.key.startsWith("call fc_"));
}
