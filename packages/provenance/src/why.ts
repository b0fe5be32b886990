import type { Edge, Session, Step } from "@thoughtflow/schema";
import { createStepIndex, type PlacedStep } from "@thoughtflow/schema/steps";
import { dependencyEdges } from "./dependency-edges.ts";

/** A reason to look twice. */
export interface Doubt {
  readonly kind: "failed" | "revised" | "unsure" | "inferred" | "missing";
  readonly text: string;
}

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
  /** Every doubt with the node it belongs to, gravest first. */
  readonly doubts: readonly { readonly node: WhyNode; readonly doubt: Doubt }[];
}

/** Goes from a step back over its edges, also into other runs of the session. */
export function whyOf(session: Session, from: PlacedStep): Why {
  const index = createStepIndex(session);
  const revisions = revisionsIn(session);
  const spelledOut = nearestParents(from);
  const doubts: { node: WhyNode; doubt: Doubt }[] = [];
  const top = nodeOf(from.step.step_id, from, undefined, undefined);
  return {
    top,
    steps: [...spelledOut.keys()].slice(1).map((step) => spelledOut.get(step)?.placed ?? from),
    doubts: doubts.toSorted((a, b) => GRAVITY[a.doubt.kind] - GRAVITY[b.doubt.kind]),
  };

  /** Breadth first: below which step each one is spelled out. */
  function nearestParents(start: PlacedStep) {
    const parents = new Map<Step, { parent: Step | undefined; placed: PlacedStep }>([
      [start.step, { parent: undefined, placed: start }],
    ]);
    const queue = [start];
    for (const { run, step } of queue) {
      for (const { to } of dependencyEdges(step)) {
        const placed = index(to, run);
        if (placed === undefined || parents.has(placed.step)) continue;
        parents.set(placed.step, { parent: step, placed });
        queue.push(placed);
      }
    }
    return parents;
  }

  function nodeOf(
    id: string,
    placed: PlacedStep | undefined,
    edge: Edge | undefined,
    above: Step | undefined,
  ): WhyNode {
    const seen = placed !== undefined && spelledOut.get(placed.step)?.parent !== above;
    const node: WhyNode = {
      placed,
      id,
      edge,
      doubts: doubtsOf(id, placed, edge, revisions),
      causes: placed === undefined || seen ? [] : causesOf(placed),
      seen,
    };
    for (const doubt of node.doubts) {
      if (doubt.kind === "inferred" || !(seen || isToldBelow(node, doubt))) {
        doubts.push({ node, doubt });
      }
    }
    return node;
  }

  function causesOf({ run, step }: PlacedStep): WhyNode[] {
    return strongest(dependencyEdges(step))
      .map((edge) => nodeOf(edge.to, index(edge.to, run), edge, step))
      .map((node, at) => ({ node, at }))
      .toSorted((a, b) => rankOf(a.node) - rankOf(b.node) || a.at - b.at)
      .map(({ node }) => node);
  }
}

/** The error that a tool gave is its call's. */
function isToldBelow({ placed, causes }: WhyNode, { kind }: Doubt): boolean {
  if (kind !== "failed" || placed?.step.label !== "tool_error") return false;
  return causes.some((cause) => cause.doubts.some((doubt) => doubt.kind === "failed"));
}

const STRENGTH = { declared: 0, observed: 1, inferred: 2 } as const;

/** One edge for each target: the one that says most. */
function strongest(edges: readonly Edge[]): Edge[] {
  const byTarget = new Map<string, Edge>();
  for (const edge of edges) {
    const known = byTarget.get(edge.to);
    const better =
      known === undefined ||
      STRENGTH[edge.origin] < STRENGTH[known.origin] ||
      (known.type === "depends_on" && edge.type !== "depends_on");
    if (better) byTarget.set(edge.to, edge);
  }
  return [...byTarget.values()];
}

const GRAVITY: Readonly<Record<Doubt["kind"], number>> = {
  failed: 0,
  revised: 1,
  missing: 2,
  unsure: 3,
  inferred: 4,
};

/** Below this a thought is unsure of itself. */
const SURE = 0.5;

function doubtsOf(
  id: string,
  placed: PlacedStep | undefined,
  edge: Edge | undefined,
  revisions: ReadonlyMap<string, string>,
): Doubt[] {
  const doubts: Doubt[] = [];
  if (placed === undefined) {
    const elsewhere = /^[0-9a-f]{32}\//.test(id);
    doubts.push({ kind: "missing", text: elsewhere ? "in another session" : "no such step" });
  } else {
    const { step, run } = placed;
    const failed = failureOf(step);
    if (failed !== undefined) doubts.push({ kind: "failed", text: failed });
    const by = revisions.get(`${run.conversation_id}/${step.step_id}`);
    if (by !== undefined) doubts.push({ kind: "revised", text: `revised by ${by}` });
    const confidence = step.label === "thought" ? confidenceOf(step) : undefined;
    if (confidence !== undefined && confidence < SURE) {
      doubts.push({ kind: "unsure", text: `confidence ${confidence}` });
    }
  }
  if (edge?.origin === "inferred") {
    const how = edge.confidence === undefined ? "" : ` ${edge.confidence}`;
    doubts.push({ kind: "inferred", text: `inferred${how}` });
  }
  return doubts;
}

/** What went wrong with a step in a few words; `undefined` when nothing did. */
function failureOf({
  label,
  status,
  error,
  payload_completed: completed,
}: Step): string | undefined {
  const said = error ?? (label === "tool_error" ? completed?.["error"] : undefined);
  if (said === undefined) return status === "error" ? "failed" : undefined;
  if (typeof said !== "object" || said === null) return String(said);
  const { type, message } = said as { readonly type?: unknown; readonly message?: unknown };
  const words = [type, message].filter((word) => typeof word === "string" && word !== "");
  return words.length === 0 ? "failed" : words.join(": ");
}

const WORDS: Readonly<Record<string, number>> = { high: 0.9, medium: 0.6, low: 0.3 };

function confidenceOf({ payload_started: payload }: Step): number | undefined {
  const value = payload?.["confidence"];
  return typeof value === "string" ? WORDS[value] : typeof value === "number" ? value : undefined;
}

/** Which thought was revised by which later one, by `<run id>/<step id>`. */
function revisionsIn(session: Session): ReadonlyMap<string, string> {
  const index = createStepIndex(session);
  const revisions = new Map<string, string>();
  for (const run of session.conversations) {
    for (const step of run.steps) {
      for (const edge of step.edges ?? []) {
        if (edge.type !== "revises") continue;
        const target = index(edge.to, run);
        if (target === undefined) continue;
        revisions.set(`${target.run.conversation_id}/${target.step.step_id}`, step.step_id);
      }
    }
  }
  return revisions;
}

/** Smaller comes first; an output stands where the call that gave it would. */
function rankOf({ doubts, placed, causes }: WhyNode): number {
  const label = placed?.step.label ?? "";
  const own = doubts.map(({ kind }) => GRAVITY[kind]).filter((gravity) => gravity < GRAVITY.unsure);
  if (own.length > 0) return Math.min(...own) - 10;
  const isOutput = label === "tool_output" || label === "tool_error";
  return Math.min(RANKS.get(label) ?? 5, ...(isOutput ? causes.map(rankOf) : []));
}

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
