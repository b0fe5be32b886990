import type { TreeNode } from "./tree-node.ts";

/**
 * Puts a new node among its twins, of which the first had none before.
 *
 * @param alike those that go on from its parent by the same piece
 */
export function joinTwins(node: TreeNode, alike: readonly TreeNode[]): void {
  const below = node.parent?.twins?.next;
  const [twin = below?.get(node.atom.key)] = alike;
  if (twin === undefined) {
    below?.set(node.atom.key, node);
    return;
  }
  twin.twins ??= {
    latest: twin,
    next: new Map(twin.next.map((one) => [one.atom.key, one])),
  };
  node.twins = twin.twins;
  if (isBehind(node, twin.twins.latest)) twin.twins.latest = node;
}

/** The last of a node and its twins that go on by a piece. */
export function lastOnwards(node: TreeNode, key: string): TreeNode | undefined {
  const next = node.twins?.next.get(key);
  return next?.twins?.latest ?? next;
}

/** Whether a node comes behind a twin of it: by the first of those above them that differ, in the order in which they came. */
function isBehind(node: TreeNode, twin: TreeNode): boolean {
  let [one, other] = [node, twin];
  while (one.parent !== undefined && other.parent !== undefined && one.parent !== other.parent) {
    if (one.parent.twins?.latest === one.parent) return true;
    if (other.parent.twins?.latest === other.parent) return false;
    [one, other] = [one.parent, other.parent];
  }
  return one.number > other.number;
}
