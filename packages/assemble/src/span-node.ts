import type { AttributeValue, Conflict, SpanRecord } from "@thoughtflow/schema";
import { ATTR_SERVICE_INSTANCE_ID, ATTR_THOUGHTFLOW_SEQ } from "@thoughtflow/semconv";
import type { DistinctSpan } from "./distinct-spans.ts";
import { createSpanMap } from "./span-map.ts";

/** A span in its trace, with its place in time. */
export interface SpanNode {
  readonly record: SpanRecord;
  readonly conflicts: readonly Conflict[];
  readonly weight: number;
  readonly start: bigint;
  readonly end: bigint | undefined;
  readonly moment: Moment;
  parent: SpanNode | undefined;
  /** What `agentIdOf` found; `null` until it was asked. There from the beginning, or each node would change its shape. */
  agentId: string | undefined | null;
}

/** A place in the total order of all things. `rank` orders what happens at one span. */
export interface Moment {
  /** Nanoseconds; never earlier than what its process began before it, even when the clock stepped back. */
  readonly at: bigint;
  readonly seq: number;
  readonly start: bigint;
  readonly traceId: string;
  readonly spanId: string;
  readonly rank: number;
}

/** The spans as nodes, each with its parent where that is there too, in the order of their moments. */
export function spanNodes(spans: readonly DistinctSpan[]): SpanNode[] {
  const all = spans.map(spanNode);
  putInSequence(all);
  const nodes = createSpanMap<SpanNode>();
  for (const node of all) nodes.set(node.record.traceId, node.record.spanId, node);
  for (const node of all) {
    const { traceId, spanId, parentSpanId } = node.record;
    if (parentSpanId === undefined || parentSpanId === spanId) continue;
    node.parent = nodes.get(traceId, parentSpanId);
  }
  cutParentCycles(all);
  return all.sort((a, b) => compareMoments(a.moment, b.moment));
}

function spanNode({ record, conflicts, weight }: DistinctSpan): PlacedNode {
  const { traceId, spanId, endTimeUnixNano } = record;
  const seq = numberAttribute(record, ATTR_THOUGHTFLOW_SEQ) ?? 0;
  const start = BigInt(record.startTimeUnixNano);
  const end = endTimeUnixNano === undefined ? undefined : BigInt(endTimeUnixNano);
  const moment = { at: start, seq, start, traceId, spanId, rank: 0 };
  return { record, conflicts, weight, start, end, moment, parent: undefined, agentId: null };
}

/** A value of the span, never one of the prototype. */
export function attributeOf(record: SpanRecord, name: string): AttributeValue | undefined {
  const value = record.attributes[name];
  return value !== undefined && Object.hasOwn(record.attributes, name) ? value : undefined;
}

/** A text attribute that is not empty. Prototypes have no texts. */
export function textAttribute(record: SpanRecord, name: string): string | undefined {
  const value = record.attributes[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** An attribute that is a number, else `undefined`. */
export function numberAttribute(record: SpanRecord, name: string): number | undefined {
  const value = record.attributes[name];
  return typeof value === "number" ? value : undefined;
}

/** The texts of a list attribute; a single text counts as a list of one. */
export function listAttribute(record: SpanRecord, name: string): readonly string[] {
  const value = record.attributes[name];
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) return NO_TEXTS;
  return value.every(isString) ? value : value.filter(isString);
}

const NO_TEXTS: readonly string[] = [];

function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** The total order of moments, for `sort`: time, counter, start, trace id, span id, rank. */
export function compareMoments(a: Moment, b: Moment): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  if (a.seq !== b.seq) return a.seq - b.seq;
  if (a.start !== b.start) return a.start < b.start ? -1 : 1;
  if (a.traceId !== b.traceId) return a.traceId < b.traceId ? -1 : 1;
  if (a.spanId !== b.spanId) return a.spanId < b.spanId ? -1 : 1;
  return a.rank - b.rank;
}

/** Of which the time is settled when all of its process are there. */
interface PlacedNode extends SpanNode {
  readonly moment: { -readonly [K in keyof Moment]: Moment[K] };
}

/** Nothing is earlier than what its process began before it. */
function putInSequence(nodes: readonly PlacedNode[]): void {
  for (const instance of byInstance(nodes)) {
    let at: bigint | undefined;
    for (const { moment, start } of instance.sort(bySeq)) {
      if (at === undefined || start > at || moment.seq === 0) at = start;
      moment.at = at;
    }
  }
}

function byInstance(nodes: readonly PlacedNode[]): Iterable<PlacedNode[]> {
  const instances = new Map<string, PlacedNode[]>();
  for (const node of nodes) {
    // Without a name for the process, a trace stands for it: mostly it is of one.
    const { resource, traceId } = node.record;
    const instance = String(resource[ATTR_SERVICE_INSTANCE_ID] ?? traceId);
    const known = instances.get(instance);
    if (known === undefined) instances.set(instance, [node]);
    else known.push(node);
  }
  return instances.values();
}

/** In the order in which their process began them; without a number, in that of their times and ids. */
function bySeq({ moment: a }: SpanNode, { moment: b }: SpanNode): number {
  if (a.seq !== b.seq) return a.seq - b.seq;
  if (a.start !== b.start) return a.start < b.start ? -1 : 1;
  return `${a.traceId}${a.spanId}` < `${b.traceId}${b.spanId}` ? -1 : 1;
}

/** A chain of parents that bites its tail has no root; the least of its spans becomes one. */
function cutParentCycles(nodes: Iterable<SpanNode>): void {
  const settled = new Set<SpanNode>();
  for (const first of nodes) {
    // Nearly all: nothing above, or what is above was looked at.
    if (first.parent === undefined || settled.has(first.parent)) {
      settled.add(first);
      continue;
    }
    const path = new Set<SpanNode>();
    let node: SpanNode | undefined = first;
    while (node !== undefined && !settled.has(node) && !path.has(node)) {
      path.add(node);
      node = node.parent;
    }
    if (node !== undefined && path.has(node)) {
      const cycle = [...path].slice([...path].indexOf(node));
      const [least] = cycle.toSorted((a, b) => compareMoments(a.moment, b.moment));
      if (least !== undefined) least.parent = undefined;
    }
    for (const seen of path) settled.add(seen);
  }
}
