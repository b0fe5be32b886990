import type { Atom } from "@thoughtflow/workflow";
import type { EarlierRuns } from "./earlier-runs.ts";
import { NotSeparableError } from "./not-separable-error.ts";
import { hasOtherId, isOtherId, mayBeOtherwise } from "./other-call-ids.ts";
import { createOwnNodes, isOwn } from "./own-nodes.ts";
import type { StepDraft } from "./step-draft.ts";
import { isOfRequest, requestOf } from "./tool-messages.ts";
import type { TreeNode } from "./tree-node.ts";
import { joinTwins, lastOnwards } from "./twin-nodes.ts";

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
  /** Some calls may be called otherwise in histories than in answers. */
  let hasOtherIds = false;
  const start = firstNode("start");

  function add(parent: TreeNode, atom: Atom, step: StepDraft): TreeNode {
    const { kind } = atom;
    const alike = onwards(parent, atom);
    const node: TreeNode = {
      parent,
      atom,
      kind,
      step,
      depth: parent.depth + 1,
      users: parent.users + (kind === "user" ? 1 : 0),
      next: NONE,
      nextByKey: undefined,
      number: nodes.length,
      isOnly: parent.isOnly && alike.length === 0,
      twins: undefined,
      answerOf: undefined,
      askedBy: undefined,
    };
    // Where there were several, all are in doubt.
    if (alike.length === 1) doubt(alike[0]);
    joinTwins(node, alike);
    hasOtherIds ||= hasOtherId(atom);
    parent.next = withNext(parent.next, node);
    if (parent.nextByKey !== undefined) push(parent.nextByKey, atom.key, node);
    nodes.push(node);
    return node;
  }

  /** The longest way down from a node; the last of equals. */
  function descend(from: TreeNode, atoms: readonly Atom[]): readonly TreeNode[] {
    if (from.twins === undefined && from.next.length === 0) return NONE;
    const isPlain =
      from.twins === undefined && !atoms.some((atom) => mayBeOtherwise(atom, hasOtherIds));
    const path: TreeNode[] = [];
    const end = isPlain ? endOfTwins(from, atoms) : endOfAll(from, atoms);
    for (let node = end; node !== from && node.parent !== undefined; node = node.parent)
      path.push(node);
    return path.reverse();
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
      const path = [candidate, ...descend(candidate, atoms.slice(1))];
      if (path.length >= best.length) best = path;
    }
    return best.length < 2 || best.every(isSpoken) ? NONE : best;
  }

  return {
    start,
    severed: firstNode("severed"),
    add,
    known(from, atoms, call) {
      let path = descend(from, atoms);
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
    number: -1,
    isOnly: true,
    twins: undefined,
    answerOf: undefined,
    askedBy: undefined,
  };
}

/** The end of the longest way down from a node; the last of equals. Where nothing has twins, or other ids, one is as many. */
function endOfAll(from: TreeNode, atoms: readonly Atom[]): TreeNode {
  let frontier: readonly TreeNode[] = [from];
  for (const atom of atoms) {
    const next = frontier.flatMap((node) => continued(node, atom));
    if (next.length === 0) break;
    frontier = next;
  }
  return frontier.at(-1) ?? from;
}

/** The same from a node without twins by nothing but keys: thousands of equal histories are one step at a time. */
function endOfTwins(from: TreeNode, atoms: readonly Atom[]): TreeNode {
  let end = from;
  for (const atom of atoms) {
    const next = end.twins === undefined ? onwards(end, atom).at(-1) : lastOnwards(end, atom.key);
    if (next === undefined) break;
    end = next.twins?.latest ?? next;
  }
  return end;
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
