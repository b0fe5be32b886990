import type { Run, Step } from "@thoughtflow/schema";

/** The nodes of a run, and which of them each step is part of. */
export interface NodeTree {
  readonly nodes: readonly Step[];
  /** The innermost node around a step, itself excepted. */
  nodeAround(step: Step): Step | undefined;
  /** The innermost call of a tool around a step. */
  toolAround(step: Step): Step | undefined;
}

/**
 * The nodes of a run: its steps of that label. Where a program names none, the outermost recorded steps that have others
 * in them.
 */
export function nodeTree(run: Run): NodeTree {
  const byId = new Map(run.steps.map((step) => [step.step_id, step]));
  const named = run.steps.filter(({ label }) => label === "node");
  const nodes = new Set(named.length > 0 ? named : outermost(run.steps, byId));

  function around(step: Step, isMeant: (step: Step) => boolean): Step | undefined {
    const seen = new Set<Step>([step]);
    for (
      let at = byId.get(step.parent_step_id ?? "");
      at !== undefined && !seen.has(at);
      at = byId.get(at.parent_step_id ?? "")
    ) {
      if (isMeant(at)) return at;
      seen.add(at);
    }
    return undefined;
  }

  return {
    nodes: [...nodes],
    nodeAround: (step) => around(step, (one) => nodes.has(one)),
    toolAround: (step) => around(step, ({ label }) => label === "tool_call"),
  };
}

function outermost(steps: readonly Step[], byId: ReadonlyMap<string, Step>): readonly Step[] {
  const parents = new Set(steps.map(({ parent_step_id }) => parent_step_id));
  return steps.filter(
    ({ step_id, parent_step_id, origin }) =>
      origin === "recorded" && parents.has(step_id) && !byId.has(parent_step_id ?? ""),
  );
}
