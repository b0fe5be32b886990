import type { Edge, Session, Step } from "@thoughtflow/schema";
import { createStepIndex, type PlacedStep, type StepIndex } from "@thoughtflow/schema/steps";
import { causalEdges } from "./dependency-edges.ts";
import { type Doubt, doubtsOfEdge, doubtsOfStep, GRAVITY, revisionsIn } from "./doubts.ts";

/** A step in the tree of what another one rests on. */
export interface WhyNode {
  /** Absent where no step of the session has the id. */
  readonly placed: PlacedStep | undefined;
  readonly id: string;
  /** How the step above rests on this one; absent at the top. */
  readonly edge: Edge | undefined;
  readonly doubts: readonly Doubt[];
  /** Failures and revised thoughts first, then the closest cause first, snapshots last. */
  readonly causes: readonly WhyNode[];
  /** True where what it rests on is spelled out elsewhere in the tree, nearer to the top. */
  readonly seen: boolean;
}

/** The answer to "why?": a tree of causes, each step spelled out once. */
export interface Why {
  readonly top: WhyNode;
  /** Every step below the top, once, nearest first. */
  readonly steps: readonly PlacedStep[];
  /** Every doubt with the node it belongs to, gravest first, then nearest first. */
  readonly doubts: readonly { readonly node: WhyNode; readonly doubt: Doubt }[];
}

/**
 * Goes from a step back over its edges, also into other runs of the session; from a thought also to the one before it on
 * its track.
 */
export function whyOf(session: Session, from: PlacedStep): Why {
  const index = createStepIndex(session);
  const revisions = revisionsIn(session);
  const found = nearestFirst(from, index);
  const nodes = new Map<Found, WhyNode>();
  const ranks = new Map<WhyNode, number>();

  function nodeOf(one: Found): WhyNode {
    const { id, placed, edge, seen } = one;
    const causes = one.causes
      .flatMap((cause) => nodes.get(cause) ?? [])
      .toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
    const doubts = [...doubtsOfStep(id, placed, revisions), ...doubtsOfEdge(edge)];
    const node = { placed, id, edge, doubts, causes, seen };
    ranks.set(
      node,
      rankOf(node, (cause) => ranks.get(cause) ?? 0),
    );
    return node;
  }

  // From the farthest on, so that each has its causes: chains are longer than the call stack.
  for (const one of found.toReversed()) nodes.set(one, nodeOf(one));
  const told = found.flatMap((one) => nodes.get(one) ?? []);
  return {
    top: told[0] as WhyNode,
    steps: found.slice(1).flatMap(({ placed, seen }) => (placed && !seen ? [placed] : [])),
    doubts: told
      .flatMap((node) => node.doubts.map((doubt) => ({ node, doubt })))
      .filter(({ node, doubt }) => doubt.kind === "inferred" || !isToldElsewhere(node, doubt))
      .toSorted((a, b) => GRAVITY[a.doubt.kind] - GRAVITY[b.doubt.kind]),
  };
}

/** A place in the tree, before its node is made. */
interface Found extends Pick<WhyNode, "placed" | "id" | "edge" | "seen"> {
  readonly causes: Found[];
}

/** Breadth first: every step is spelled out where it is nearest to the top. */
function nearestFirst(from: PlacedStep, index: StepIndex): readonly Found[] {
  const known = new Set<Step>([from.step]);
  const top: Found = {
    placed: from,
    id: from.step.step_id,
    edge: undefined,
    seen: false,
    causes: [],
  };
  const found = [top];
  for (const { placed, seen, causes } of found) {
    if (placed === undefined || seen) continue;
    for (const edge of strongest(causalEdges(placed.step))) {
      const target = index(edge.to, placed.run);
      const isKnown = target !== undefined && known.has(target.step);
      if (target !== undefined) known.add(target.step);
      const cause: Found = { placed: target, id: edge.to, edge, seen: isKnown, causes: [] };
      causes.push(cause);
      found.push(cause);
    }
  }
  return found;
}

/** What is said where a step is spelled out is not said again; the error that a tool gave is its call's. */
function isToldElsewhere({ placed, causes, seen }: WhyNode, { kind }: Doubt): boolean {
  if (seen) return true;
  if (kind !== "failed" || placed?.step.label !== "tool_error") return false;
  return causes.some((cause) => cause.doubts.some((doubt) => doubt.kind === "failed"));
}

const STRENGTH = { declared: 0, observed: 1, inferred: 2 } as const;
/** What other edges say better. */
const VAGUE: ReadonlySet<string> = new Set(["depends_on", "follows"]);

/** One edge for each target: the one that says most. */
function strongest(edges: readonly Edge[]): Edge[] {
  const byTarget = new Map<string, Edge>();
  for (const edge of edges) {
    const known = byTarget.get(edge.to);
    const better =
      known === undefined ||
      (STRENGTH[edge.origin] < STRENGTH[known.origin] && !VAGUE.has(edge.type)) ||
      (VAGUE.has(known.type) && !VAGUE.has(edge.type));
    if (better) byTarget.set(edge.to, edge);
  }
  return [...byTarget.values()];
}

/** Smaller comes first; an output stands where the call that gave it would. */
function rankOf(
  { doubts, placed, edge, causes }: WhyNode,
  rankOfCause: (cause: WhyNode) => number,
): number {
  const label = placed?.step.label ?? "";
  const own = doubts.map(({ kind }) => GRAVITY[kind]).filter((gravity) => gravity < GRAVITY.unsure);
  if (own.length > 0) return Math.min(...own) - 10;
  if (edge?.type === "follows") return RANK_OF_OTHERS;
  const isOutput = label === "tool_output" || label === "tool_error";
  return Math.min(RANKS.get(label) ?? RANK_OF_OTHERS, ...(isOutput ? causes.map(rankOfCause) : []));
}

const RANK_OF_OTHERS = 5;
const RANKS: ReadonlyMap<string, number> = new Map([
  ["thought", 1],
  ["tool_output", 2],
  ["user_message", 3],
  ["tool_call", 4],
  ["prompt.adaptations", 6],
  ["context.preamble", 7],
  ["channel.preamble", 8],
  ["policy.snapshot", 9],
  ["tool.schemas.snapshot", 10],
]);
