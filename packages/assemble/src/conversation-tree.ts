import type { Atom } from "@thoughtflow/workflow";
import type { EarlierRuns } from "./earlier-runs.ts";
import { NotSeparableError } from "./not-separable-error.ts";
import { createOwnNodes, isOwn } from "./own-nodes.ts";
import type { StepDraft } from "./step-draft.ts";
import { isOfRequest, requestOf } from "./tool-messages.ts";
import type { TreeNode } from "./tree-node.ts";

/** All conversations of a session: histories that begin alike share their beginning. */
export interface ConversationTree {
  readonly start: TreeNode;
  /** Where calls of an earlier stretch begin that go on from one which is not there. */
  readonly severed: TreeNode;
  /**
   * The nodes that the atoms have in common with an earlier history, in order. Words that are said anew in another run,
   * or to another agent, are a new message: at the end of the input, only own nodes count.
   */
  known(from: TreeNode, atoms: readonly Atom[], call: StepDraft): readonly TreeNode[];
  add(parent: TreeNode, atom: Atom, step: StepDraft): TreeNode;
}

export function createConversationTree(earlier?: EarlierRuns): ConversationTree {
  const nodes: TreeNode[] = [];
  const ownNodes = createOwnNodes();
  const byKey = new Map<string, TreeNode[]>();
  /** So many nodes are in `byKey`: only windows need it. */
  let indexed = 0;
  const start = firstNode("start");

  function add(parent: TreeNode, atom: Atom, step: StepDraft): TreeNode {
    const { kind } = atom;
    const twins = onwards(parent, atom);
    const node: TreeNode = {
      parent,
      atom,
      kind,
      step,
      depth: parent.depth + 1,
      users: parent.users + (kind === "user" ? 1 : 0),
      next: NONE,
      nextByKey: undefined,
      isOnly: parent.isOnly && twins.length === 0,
      answerOf: undefined,
      askedBy: undefined,
    };
    // Where there were several, all are in doubt.
    if (twins.length === 1) doubt(twins[0]);
    parent.next = withNext(parent.next, node);
    if (parent.nextByKey !== undefined) push(parent.nextByKey, atom.key, node);
    nodes.push(node);
    return node;
  }

  /** Where a history that begins in the middle (a sliding window) goes on: two pieces in a row, one of them the model's. */
  function window(atoms: readonly Atom[]): readonly TreeNode[] {
    const [first] = atoms;
    if (first === undefined || atoms.length < 2 || atoms.every(isSpoken)) return NONE;
    for (; indexed < nodes.length; indexed++) {
      const node = nodes[indexed];
      if (node !== undefined) push(byKey, node.atom.key, node);
    }
    const candidates = byKey.get(first.key) ?? NONE;
    let best: readonly TreeNode[] = [];
    for (const candidate of candidates) {
      const path = [candidate, ...descend([candidate], atoms.slice(1))];
      if (path.length >= best.length) best = path;
    }
    return best.length < 2 || best.every(isSpoken) ? NONE : best;
  }

  return {
    start,
    severed: firstNode("severed"),
    add,
    known(from, atoms, call) {
      let path = descend([from], atoms);
      if (isForeignEarlier(from, path, atoms, call.run)) return ownTail([], from, atoms, call);
      if (path.length === 0 && from === start) path = window(atoms);
      if (path.length === 0) return path;
      const answered = path.findLastIndex((node) => !isSpoken(node)) + 1;
      const foreign = path.findIndex((node, i) => i >= answered && !isOwn(node, call));
      if (foreign === -1) return path;
      return ownTail(path.slice(0, foreign), from, atoms, call);
    },
  };

  /** Whether the whole session has a longer way down, in runs that are not there, by nothing but what people said. */
  function isForeignEarlier(
    from: TreeNode,
    path: readonly TreeNode[],
    atoms: readonly Atom[],
    run: StepDraft["run"],
  ): boolean {
    const conversations = run.isEarlier ? undefined : earlier?.conversations;
    if (conversations === undefined || atoms.length === 0) return false;
    const isAnswered = from !== start || !path.every(isSpoken);
    if (isAnswered && path.some(({ step }) => step?.run.isEarlier))
      throw new NotSeparableError("a history goes on from one of an earlier stretch");
    const last = path.at(-1) ?? from;
    if (conversations.leadOn(last, isAnswered, atoms.slice(path.length))) return true;
    if (path.length === 0 && from === start) conversations.lookForWindow(atoms);
    return false;
  }

  /** The same words may have begun an own node beside the foreign one. */
  function ownTail(
    path: readonly TreeNode[],
    from: TreeNode,
    atoms: readonly Atom[],
    call: StepDraft,
  ): readonly TreeNode[] {
    const tail = [...path];
    for (const atom of atoms.slice(path.length)) {
      const own = ownNodes.newest(onwards(tail.at(-1) ?? from, atom), call);
      if (own === undefined) break;
      tail.push(own);
    }
    return tail;
  }
}

function firstNode(kind: "start" | "severed"): TreeNode {
  return {
    parent: undefined,
    atom: { key: "" },
    kind,
    step: undefined,
    depth: 0,
    users: 0,
    next: NONE,
    nextByKey: undefined,
    isOnly: true,
    answerOf: undefined,
    askedBy: undefined,
  };
}

/** The longest way down from any of the nodes; the newest of equals. */
function descend(from: readonly TreeNode[], atoms: readonly Atom[]): readonly TreeNode[] {
  let frontier = from;
  let depth = 0;
  for (const atom of atoms) {
    const [only] = frontier;
    const next =
      frontier.length === 1 && only !== undefined
        ? continued(only, atom)
        : frontier.flatMap((node) => continued(node, atom));
    if (next.length === 0) break;
    frontier = next;
    depth++;
  }
  const path: TreeNode[] = [];
  for (let node = frontier.at(-1); path.length < depth && node !== undefined; node = node.parent) {
    path.push(node);
  }
  return path.reverse();
}

/** The nodes that go on from here with this atom. */
function continued(node: TreeNode, atom: Atom): readonly TreeNode[] {
  const next = onwards(node, atom);
  if (next.length > 0 || node.next.length === 0 || atom.kind !== "tool_call") return next;
  const request = requestOf(atom);
  return node.next.filter(
    ({ atom: { key }, step }) =>
      step !== undefined && isOtherId(request.callId ?? "", key) && isOfRequest(step, request),
  );
}

/**
 * Whether a history may call a call so that an answer asked for under another id. Of the two ids that a call has in the Responses API,
 * Traceloop's instrumentations send the item's back in histories; Gemini CLI puts the tool's name before the id that it sends.
 */
function isOtherId(id: string, key: string): boolean {
  return (
    key.startsWith("call ") && (id.startsWith("fc_") || (id !== "" && key.endsWith(`__${id}`)))
  );
}

/** The nodes that go on from here with an atom of the same key, which nobody asks for where none goes on. */
export function onwards(node: TreeNode, atom: TreeNode["atom"]): readonly TreeNode[] {
  const { next } = node;
  const [only] = next;
  if (only === undefined) return NONE;
  if (next.length === 1) return only.atom.key === atom.key ? next : NONE;
  if (node.nextByKey === undefined) {
    node.nextByKey = new Map();
    for (const one of next) push(node.nextByKey, one.atom.key, one);
  }
  return node.nextByKey.get(atom.key) ?? NONE;
}

const NONE: readonly TreeNode[] = [];

/** Mostly one goes on: a list of just that length. More grow in place. */
function withNext(next: TreeNode["next"], node: TreeNode): TreeNode["next"] {
  if (next.length < 2) return [...next, node];
  (next as TreeNode[]).push(node);
  return next;
}

function isSpoken({ kind }: Pick<TreeNode, "kind">): boolean {
  return kind === "user";
}

/** What leads to this node and to those below it leads to another one, too. */
function doubt(node: TreeNode | undefined): void {
  const doubted = [node];
  for (let one = doubted.pop(); one !== undefined; one = doubted.pop()) {
    if (!one.isOnly) continue;
    one.isOnly = false;
    for (const below of one.next) doubted.push(below);
  }
}

function push(map: Map<string, TreeNode[]>, key: string, node: TreeNode): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [node]);
  else known.push(node);
}
