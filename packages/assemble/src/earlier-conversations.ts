import { hash } from "node:crypto";
import type { Atom } from "@thoughtflow/workflow";
import { briefKey } from "./brief-key.ts";
import { createIdTable } from "./id-table.ts";
import { NotSeparableError } from "./not-separable-error.ts";
import { hasOtherId, mayBeOtherwise } from "./other-call-ids.ts";
import type { TreeNode } from "./tree-node.ts";

/**
 * What was said in a session's earlier stretches, in some hundred bytes for each piece of a message: enough to tell whether a
 * history of a later stretch may lead there.
 */
export interface EarlierConversations {
  /**
   * Whether a history that leads on to here, in what its own stretch knows, leads on among the earlier stretches by what people
   * said alone: words that a run never shares. Throws where it leads on there by more than that.
   *
   * @param isSpoken whether a model has said some of what leads here
   */
  leadOn(node: TreeNode, isSpoken: boolean, rest: readonly Atom[]): boolean;
  /** Throws where a history that begins in the middle may begin in the middle of an earlier one. */
  lookForWindow(atoms: readonly Atom[]): void;
  /** Throws where an earlier stretch has a call of a tool with that id. */
  lookForCall(callId: string): void;
  /** Takes in what follows a node. */
  add(start: TreeNode): void;
}

const PATH_LENGTH = 16;

export function createEarlierConversations(): EarlierConversations {
  /** What leads to each piece, from the start; each two pieces in a row; and the calls of tools. */
  const paths = createIdTable();
  const pairs = createIdTable();
  const calls = createIdTable();
  const pathOfNode = new WeakMap<TreeNode, string>();
  /** Some calls may be called otherwise in histories than in answers. */
  let hasOtherIds = false;

  function pathOf(node: TreeNode): string {
    const fresh: TreeNode[] = [];
    let known: string | undefined;
    for (let at: TreeNode | undefined = node; at?.parent !== undefined; at = at.parent) {
      known = pathOfNode.get(at);
      if (known !== undefined) break;
      fresh.push(at);
    }
    let path = known ?? "";
    for (const one of fresh.reverse()) {
      path = longer(path, one.atom.key);
      pathOfNode.set(one, path);
    }
    return path;
  }

  function has(path: string): boolean {
    return paths.get(path) !== undefined;
  }

  return {
    leadOn(node, isSpoken, rest) {
      if (rest.some((atom) => mayBeOtherwise(atom, hasOtherIds)))
        throw new NotSeparableError("a call of a tool may have two ids");
      let path = pathOf(node);
      for (const [at, { kind, key }] of rest.entries()) {
        path = longer(path, key);
        if (!has(path)) return at > 0;
        if (isSpoken || kind !== "user")
          throw new NotSeparableError("a history goes on from one of an earlier stretch");
      }
      return rest.length > 0;
    },
    lookForWindow([first, second, ...others]) {
      if (first === undefined || second === undefined) return;
      if ([first, second, ...others].every(({ kind }) => kind === "user")) return;
      if (pairs.get(longer(first.key, second.key)) !== undefined)
        throw new NotSeparableError("a history may begin in the middle of an earlier one");
    },
    lookForCall(callId) {
      if (calls.get(briefKey(`call ${callId}`)) !== undefined)
        throw new NotSeparableError("a history names a tool call of an earlier stretch");
    },
    add(start) {
      const left = [...start.next];
      for (let node = left.pop(); node !== undefined; node = left.pop()) {
        const { parent, kind, next } = node;
        const { key } = node.atom;
        paths.set(pathOf(node), 0);
        if (parent !== undefined && parent !== start) pairs.set(longer(parent.atom.key, key), 0);
        if (kind === "tool_call") calls.set(key, 0);
        hasOtherIds ||= hasOtherId({ kind, key });
        for (const one of next) left.push(one);
      }
    },
  };
}

function longer(path: string, key: string): string {
  return hash("sha256", `${path}\n${key}`).slice(0, PATH_LENGTH);
}
