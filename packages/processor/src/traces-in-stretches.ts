import { type FewNames, hasName, namesIn } from "./few-names.ts";

/** How far a trace, or a slice of one, reaches: in time, in the numbers of its process, and in conversations. */
export interface TraceExtent {
  readonly instance: unknown;
  /** Of its first span and of the one that began last, nanoseconds since 1970. */
  first: bigint;
  last: bigint;
  /** The least and the greatest number that their process gave its spans, 0 for one without. */
  firstSeq: number;
  lastSeq: number;
  spans: number;
  /** What people said before a model said anything: in calls that begin a conversation, and in those that send what followed. */
  begun: FewNames;
  goneOn: FewNames;
}

/** Traces in their order; each is looked up when it is looked at, as there may be hundreds of thousands. */
export interface TracesInOrder {
  readonly count: number;
  at(place: number): TraceExtent;
}

/**
 * Where the stretches begin in which traces are assembled together: cut where nothing before goes on, neither in time, unless runs may
 * overlap, nor in the numbers of a process, nor in a conversation.
 */
export function tracesInStretches(
  traces: TracesInOrder,
  least: number,
  mayOverlap: boolean,
): readonly number[] {
  const isInside = insideOfSequences(traces);
  const isSaidOn = insideOfConversations(traces);
  const beginnings = [0];
  let last = 0n;
  let spans = 0;
  for (let at = 0; at < traces.count; at++) {
    const trace = traces.at(at);
    if (spans >= least && (mayOverlap || trace.first > last) && !isInside(at) && !isSaidOn(at)) {
      beginnings.push(at);
      spans = 0;
    }
    spans += trace.spans;
    if (trace.last > last) last = trace.last;
  }
  return beginnings;
}

/** Whether before a place in the list a process has given a number that is not below all that it gives later. */
function insideOfSequences(traces: TracesInOrder): (at: number) => boolean {
  const inside = new Set<number>();
  const leastBehind = new Map<unknown, number>();
  /** By place, of the traces from there on. */
  const least = new Float64Array(traces.count);
  for (let at = traces.count - 1; at >= 0; at--) {
    const { instance, firstSeq } = traces.at(at);
    const behind = Math.min(leastBehind.get(instance) ?? firstSeq, firstSeq);
    leastBehind.set(instance, behind);
    least[at] = behind;
  }
  const known = new Map<unknown, { readonly at: number; readonly greatest: number }>();
  for (let at = 0; at < traces.count; at++) {
    const { instance, lastSeq } = traces.at(at);
    if (instance === undefined) continue;
    const before = known.get(instance);
    if (before !== undefined && before.greatest > 0 && (least[at] ?? 0) <= before.greatest)
      for (let cut = before.at + 1; cut <= at; cut++) inside.add(cut);
    known.set(instance, { at, greatest: Math.max(before?.greatest ?? 0, lastSeq) });
  }
  return (at) => inside.has(at);
}

/** Whether before a place in the list a conversation has begun that a trace behind it may send the history of. */
function insideOfConversations(traces: TracesInOrder): (at: number) => boolean {
  const shared = new Set<string>();
  for (let at = 0; at < traces.count; at++) {
    const { begun, goneOn } = traces.at(at);
    for (const key of namesIn(goneOn)) if (!hasName(begun, key)) shared.add(key);
  }
  const first = new Map<string, number>();
  /** The last trace that any conversation which goes on there reaches, then any that began before, too. */
  const reached = new Uint32Array(traces.count);
  for (let at = 0; at < traces.count && shared.size > 0; at++) {
    const { begun, goneOn } = traces.at(at);
    for (const key of [...namesIn(begun), ...namesIn(goneOn)]) {
      if (!shared.has(key)) continue;
      const from = first.get(key) ?? at;
      first.set(key, from);
      reached[from] = at;
    }
  }
  let end = 0;
  for (const [at, one] of reached.entries()) {
    end = Math.max(end, one);
    reached[at] = end;
  }
  return (at) => at > 0 && (reached[at - 1] ?? 0) >= at;
}
