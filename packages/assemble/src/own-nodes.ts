import { agentIdOf, areOfTwoAgents } from "./agents.ts";
import type { RunDraft, StepDraft } from "./step-draft.ts";
import type { TreeNode } from "./tree-node.ts";

/** Finds among nodes with the same words those of a call's run and agent. */
export interface OwnNodes {
  /** @param nodes grows at its end, if at all */
  newest(nodes: readonly TreeNode[], call: StepDraft): TreeNode | undefined;
}

/** Whose nodes stand where in a list: the places of the newest. */
interface Owners {
  /** How many nodes were looked at. */
  upTo: number;
  readonly runs: Map<
    RunDraft["id"],
    { newest: number; readonly agents: Map<string | undefined, number> }
  >;
}

/** So many are looked through. */
const FEW = 8;

/** What two agents are told in the same words is told to each. */
export function isOwn({ step }: TreeNode, call: StepDraft): boolean {
  return step !== undefined && step.run.id === call.run.id && !areOfTwoAgents(step, call);
}

export function createOwnNodes(): OwnNodes {
  /** Of long lists: what thousands of runs begin with, none of which was answered. */
  const known = new WeakMap<readonly TreeNode[], Owners>();

  function ownersOf(nodes: readonly TreeNode[]): Owners["runs"] {
    const owners = known.get(nodes) ?? { upTo: 0, runs: new Map() };
    known.set(nodes, owners);
    for (; owners.upTo < nodes.length; owners.upTo++) {
      const step = nodes[owners.upTo]?.step;
      if (step === undefined) continue;
      const own = owners.runs.get(step.run.id) ?? { newest: 0, agents: new Map() };
      own.newest = owners.upTo;
      own.agents.set(agentIdOf(step.span), owners.upTo);
      owners.runs.set(step.run.id, own);
    }
    return owners.runs;
  }

  return {
    newest(nodes, call) {
      if (nodes.length <= FEW) return nodes.findLast((node) => isOwn(node, call));
      const own = ownersOf(nodes).get(call.run.id);
      const agentId = agentIdOf(call.span);
      if (own === undefined || agentId === undefined) return nodes[own?.newest ?? -1];
      const { agents } = own;
      return nodes[Math.max(agents.get(agentId) ?? -1, agents.get(undefined) ?? -1)];
    },
  };
}
