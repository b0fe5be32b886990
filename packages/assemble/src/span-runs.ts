import {
  ATTR_SERVICE_INSTANCE_ID,
  ATTR_THOUGHTFLOW_RUN_GOES_ON,
  SPAN_SESSION,
} from "@thoughtflow/semconv";
import { attributeOf, compareMoments, type Moment, type SpanNode } from "./span-node.ts";

/** The spans of one run: a local root and what hangs under it. */
export interface SpanRun {
  /** `<trace id>/<span id of the local root>`. */
  readonly key: string;
  readonly traceId: string;
  readonly rootSpanId: string;
  /** Absent when the root never came, or belongs to another session. */
  readonly root: SpanNode | undefined;
  /** The roots of other traces that go on with the run, in the order of their moments. */
  readonly laterRoots: readonly SpanNode[];
  /** In the order of their moments, the root among them. */
  readonly spans: readonly SpanNode[];
  /** Ids of parents that spans of this run name and that never came. */
  readonly missingParents: readonly string[];
  readonly moment: Moment;
}

/**
 * The runs of a session's spans, in order. A span whose parent never came hangs under the first local root of
 * its trace; without one, the missing parent stands for the root, so that the run keeps its name when it comes.
 */
export function spanRuns(spans: readonly SpanNode[]): SpanRun[] {
  const runs = new Map<string, { spans: SpanNode[]; missing: Set<string> }>();
  const put = (key: string, node: SpanNode): { missing: Set<string> } => {
    const run = runs.get(key) ?? { spans: [], missing: new Set() };
    runs.set(key, run);
    run.spans.push(node);
    return run;
  };
  const firstRoot = new Map<string, string>();
  const tops = new Map<SpanNode, SpanNode>();
  const keys = new Map<SpanNode, string>();
  const orphans: { node: SpanNode; missing: string }[] = [];
  for (const node of spans) {
    if (node.record.name === SPAN_SESSION) continue;
    const top = topOf(node, tops);
    const missing = missingParentOf(top);
    if (missing !== undefined) {
      orphans.push({ node, missing });
      continue;
    }
    const { traceId, spanId } = top.record;
    const key = keys.get(top) ?? `${traceId}/${spanId}`;
    keys.set(top, key);
    if (!firstRoot.has(traceId)) firstRoot.set(traceId, key);
    put(key, node);
  }
  for (const { node, missing } of orphans) {
    const { traceId } = node.record;
    const key = firstRoot.get(traceId) ?? `${traceId}/${missing}`;
    firstRoot.set(traceId, key);
    put(key, node).missing.add(missing);
  }
  return joined(
    [...runs]
      .map(([key, run]) => spanRun(key, run.spans, run.missing))
      .toSorted((a, b) => compareMoments(a.moment, b.moment)),
  );
}

/** A run whose root says that it goes on with the one before it, of the same instrumentation, is a part of that. */
function joined(runs: readonly SpanRun[]): SpanRun[] {
  const whole: SpanRun[] = [];
  for (const run of runs) {
    const before = whole.at(-1);
    const { root } = run;
    const isPart =
      root !== undefined &&
      goesOn(root) &&
      before?.root?.record.scope.name === root.record.scope.name;
    if (isPart) whole[whole.length - 1] = { ...before, ...partsOf(before, run, root) };
    else whole.push(run);
  }
  return whole;
}

/** Whether a root says that it goes on with the run before it. */
export function goesOn({ record }: SpanNode): boolean {
  return attributeOf(record, ATTR_THOUGHTFLOW_RUN_GOES_ON) === true;
}

function partsOf(
  before: SpanRun,
  run: SpanRun,
  root: SpanNode,
): Pick<SpanRun, "spans" | "laterRoots" | "missingParents"> {
  return {
    spans: [...before.spans, ...run.spans].toSorted((a, b) => compareMoments(a.moment, b.moment)),
    laterRoots: [...before.laterRoots, root],
    missingParents: [...before.missingParents, ...run.missingParents],
  };
}

function spanRun(key: string, spans: SpanNode[], missing: ReadonlySet<string>): SpanRun {
  const [traceId = "", rootSpanId = ""] = key.split("/");
  const sorted = spans.toSorted((a, b) => compareMoments(a.moment, b.moment));
  const root = sorted.find((node) => node.record.spanId === rootSpanId);
  const [first] = sorted;
  if (first === undefined) throw new RangeError("a run without spans");
  const missingParents = [...missing].toSorted();
  const { moment } = first;
  return { key, traceId, rootSpanId, root, laterRoots: [], spans: sorted, missingParents, moment };
}

/** The local root above a span. `known` is what was found of others before: a chain is walked once. */
function topOf(node: SpanNode, known: Map<SpanNode, SpanNode>): SpanNode {
  let end = node;
  while (!known.has(end) && end.parent !== undefined && isLocal(end, end.parent)) end = end.parent;
  const top = known.get(end) ?? end;
  for (let at: SpanNode | undefined = node; at !== undefined && at !== end; at = at.parent)
    known.set(at, top);
  return top;
}

function isLocal({ record }: SpanNode, parent: SpanNode): boolean {
  if (record.parentIsRemote === true) return false;
  const own = record.resource[ATTR_SERVICE_INSTANCE_ID];
  const other = parent.record.resource[ATTR_SERVICE_INSTANCE_ID];
  return own === undefined || other === undefined || own === other;
}

function missingParentOf({ record, parent }: SpanNode): string | undefined {
  const { parentSpanId, parentIsRemote, spanId } = record;
  if (parentSpanId === undefined || parentSpanId === spanId) return undefined;
  return parent !== undefined || parentIsRemote === true ? undefined : parentSpanId;
}
