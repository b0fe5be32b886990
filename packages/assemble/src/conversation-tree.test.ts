import type { Atom } from "@thoughtflow/workflow";
import { expect, test } from "vitest";
import { createConversationTree, onwards } from "./conversation-tree.ts";
import type { StepDraft } from "./step-draft.ts";
import type { TreeNode } from "./tree-node.ts";

const step = { run: { id: "r" }, span: {} } as StepDraft;
const assistant = (key: string) => ({ kind: "assistant", key }) as Atom;

/** From 0 up to 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** The longest way down of all, step by step; the last of equals. */
function longestWay(from: TreeNode, atoms: readonly Atom[]): readonly TreeNode[] {
  let ways: readonly (readonly TreeNode[])[] = [[]];
  for (const atom of atoms) {
    const longer = ways.flatMap((way) =>
      onwards(way.at(-1) ?? from, atom).map((node) => [...way, node]),
    );
    if (longer.length === 0) break;
    ways = longer;
  }
  return ways.at(-1) ?? [];
}

test("in any tree the longest way down is found, the last of equals, wherever equal histories part and go on", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = createRandom(seed);
    const upTo = (most: number) => Math.floor(random() * most);
    const tree = createConversationTree();
    const nodes = [tree.start];
    const anyAtom = () => assistant("abc".charAt(upTo(3)));
    for (let n = 0; n < 60; n++) {
      const parent = nodes[random() < 0.3 ? nodes.length - 1 : upTo(nodes.length)] ?? tree.start;
      nodes.push(tree.add(parent, anyAtom(), step));
      const from = random() < 0.7 ? tree.start : (nodes[upTo(nodes.length)] ?? tree.start);
      const atoms = Array.from({ length: 1 + upTo(6) }, anyAtom);
      const expected = longestWay(from, atoms);
      if (from === tree.start && expected.length === 0) continue;
      expect(tree.known(from, atoms, step), `tree ${seed}`).toEqual(expected);
    }
  }
});

test("whether a node has twins is whether another one is reached by the same pieces", () => {
  const random = createRandom(7);
  const tree = createConversationTree();
  const ways = new Map<TreeNode, string>([[tree.start, ""]]);
  for (let n = 0; n < 300; n++) {
    const nodes = [...ways.keys()];
    const parent = nodes[Math.floor(random() * nodes.length)] ?? tree.start;
    const atom = assistant("abcdef".charAt(Math.floor(random() * 6)));
    ways.set(tree.add(parent, atom, step), `${ways.get(parent)}${atom.key}`);
  }
  const all = [...ways.values()];
  for (const [node, way] of ways)
    expect(node.twins !== undefined, way).toBe(all.filter((one) => one === way).length > 1);
});

test("thousands of equal histories cost no more each than a few", () => {
  const tree = createConversationTree();
  let keys = 0;
  const atoms = ["few", "shot", "question"].map((key) => ({
    kind: "assistant" as const,
    get key() {
      keys++;
      return key;
    },
  })) as unknown as readonly Atom[];
  const count = 4_000;
  for (let n = 0; n < count; n++) {
    tree.known(tree.start, atoms, step);
    let node = tree.start;
    for (const atom of atoms) node = tree.add(node, atom, step);
  }
  expect(keys).toBeLessThan(count * atoms.length * 10);
});
