import { checkArgument, checkFunction } from "./checks.ts";
import { withStep } from "./step.ts";

/** A node of a graph: what is called with the state and gives what is to become of it. */
export type NodeFunction = (...args: never[]) => unknown;

/**
 * The same function, but each call of it is a step `node` of the open run: what happens inside hangs below, what it returns
 * is the step's result, what it throws its error. For the nodes of LangGraph and of graphs like it:
 * `graph.addNode("reply", traceNode("reply", reply))`.
 *
 * @returns a proxy of `fn`: its own name, length and properties, and what it returns and throws
 * @throws TypeError when an argument has the wrong type.
 */
export function traceNode<F extends NodeFunction>(name: string, fn: F): F {
  checkArgument("traceNode", "name", "id", name);
  checkFunction("traceNode", fn);
  const step = { label: "node", name } as const;
  return new Proxy(fn, {
    apply: (target, self, args: never[]) => withStep(step, () => Reflect.apply(target, self, args)),
  });
}

/**
 * A copy of a map of nodes in which each function is traced under its key; everything else is as it was.
 *
 * @throws TypeError when `nodes` is no plain object.
 */
export function traceNodes<T extends object>(nodes: T): T {
  checkArgument("traceNodes", "nodes", "plain", nodes);
  const traced = Object.entries(nodes).map(([name, node]) => [
    name,
    typeof node === "function" ? traceNode(name, node) : node,
  ]);
  return { ...nodes, ...Object.fromEntries(traced) };
}
