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

/** Traces in order as they are assembled together: cut where nothing before goes on, neither in time, unless runs may overlap, nor in the numbers of a process, nor in a conversation. */
export function tracesInStretches<Trace extends TraceExtent>(
  traces: readonly Trace[],
  least: number,
  mayOverlap: boolean,
): readonly (readonly Trace[])[] {
  const isInside = insideOfSequences(traces);
  const isSaidOn = insideOfConversations(traces);
  const stretches: Trace[][] = [[]];
  let last = 0n;
  let spans = 0;
  for (const [at, trace] of traces.entries()) {
    if (spans >= least && (mayOverlap || trace.first > last) && !isInside(at) && !isSaidOn(at)) {
      stretches.push([]);
      spans = 0;
    }
    stretches.at(-1)?.push(trace);
    spans += trace.spans;
    if (trace.last > last) last = trace.last;
  }
  return stretches;
}

/** Whether before a place in the list a process has given a number that is not below all that it gives later. */
function insideOfSequences(traces: readonly TraceExtent[]): (at: number) => boolean {
  const inside = new Set<number>();
  const leastBehind = new Map<unknown, number>();
  const least = traces.toReversed().map(({ instance, firstSeq }) => {
    const behind = Math.min(leastBehind.get(instance) ?? firstSeq, firstSeq);
    leastBehind.set(instance, behind);
    return behind;
  });
  const known = new Map<unknown, { readonly at: number; readonly greatest: number }>();
  for (const [at, { instance, lastSeq }] of traces.entries()) {
    if (instance === undefined) continue;
    const before = known.get(instance);
    if (before !== undefined && before.greatest > 0 && (least.at(-1 - at) ?? 0) <= before.greatest)
      for (let cut = before.at + 1; cut <= at; cut++) inside.add(cut);
    known.set(instance, { at, greatest: Math.max(before?.greatest ?? 0, lastSeq) });
  }
  return (at) => inside.has(at);
}

/** Whether before a place in the list a conversation has begun that a trace behind it may send the history of. */
function insideOfConversations(traces: readonly TraceExtent[]): (at: number) => boolean {
  const shared = new Set<string>();
  for (const { begun, goneOn } of traces)
    for (const key of namesIn(goneOn)) if (!hasName(begun, key)) shared.add(key);
  const first = new Map<string, number>();
  /** The last trace that any conversation which goes on there reaches. */
  const ends: number[] = traces.map(() => 0);
  for (const [at, { begun, goneOn }] of traces.entries()) {
    for (const key of [...namesIn(begun), ...namesIn(goneOn)]) {
      if (!shared.has(key)) continue;
      const from = first.get(key) ?? at;
      first.set(key, from);
      ends[from] = at;
    }
  }
  let end = 0;
  const reached = ends.map((one) => {
    end = Math.max(end, one);
    return end;
  });
  return (at) => at > 0 && (reached[at - 1] ?? 0) >= at;
}
