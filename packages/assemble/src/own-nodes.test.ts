import { expect, test } from "vitest";
import { createOwnNodes, isOwn } from "./own-nodes.ts";
import type { StepDraft } from "./step-draft.ts";
import type { TreeNode } from "./tree-node.ts";

const runs = Array.from({ length: 7 }, (_, n) => ({ id: `r${n}` }));
const agentIds = [undefined, "a", "b", "c"];
const stepOf = (n: number) =>
  ({
    run: runs[(n * n) % runs.length],
    span: { agentId: agentIds[(n * 5 + (n >> 2)) % agentIds.length] },
  }) as StepDraft;

test("of any number of nodes with the same words the newest is found that is a call's own", () => {
  const own = createOwnNodes();
  const nodes: TreeNode[] = [];
  for (let n = 0; n < 200; n++) {
    const call = stepOf(n * 3 + 1);
    expect(own.newest(nodes, call)).toBe(nodes.findLast((node) => isOwn(node, call)));
    nodes.push({ step: n % 11 === 0 ? undefined : stepOf(n) } as TreeNode);
  }
});

test("each of many nodes is looked at once, though no call finds one of its own", () => {
  const own = createOwnNodes();
  const nodes: TreeNode[] = [];
  let looks = 0;
  const count = 2_000;
  for (let n = 0; n < count; n++) {
    const step = { run: { id: `r${n}` }, span: { agentId: `a${n}` } } as StepDraft;
    expect(own.newest(nodes, step)).toBeUndefined();
    nodes.push({
      get step() {
        looks++;
        return step;
      },
    } as TreeNode);
  }
  expect(looks).toBeLessThan(2 * count);
});
