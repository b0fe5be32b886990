import { isImportedSpan, isOwnSpan } from "@thoughtflow/dialects/spans";
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_RESPONSE_ID,
  OPERATION_CHAT,
} from "@thoughtflow/semconv";
import { callTeller, mayTellOneCall } from "./call-teller.ts";
import { compareMoments, type SpanNode, textAttribute } from "./span-node.ts";

/**
 * Puts a call that begins a trace of its own below the one that another instrumentation tells of it in another trace: the same answer
 * by its id, in the same service, at the same time. Without a span around both, two instrumentations that don't know of one another make two traces.
 */
export function adoptCalls(nodes: readonly SpanNode[]): void {
  if (!nodes.some(isRootCall)) return;
  const byAnswer = new Map<string, SpanNode[]>();
  for (const node of nodes) {
    const id = answerOf(node);
    if (id === undefined) continue;
    const known = byAnswer.get(id);
    if (known === undefined) byAnswer.set(id, [node]);
    else known.push(node);
  }
  for (const calls of byAnswer.values()) {
    const [first, ...others] = calls.toSorted(byTime);
    for (const other of others)
      if (first !== undefined && isRootCall(other) && isSameCall(first, other))
        if (topOf(first) !== other) other.parent = first;
  }
}

/** What began first, and of what began at once by the clock what stands in another span. */
function byTime(a: SpanNode, b: SpanNode): number {
  const [root, otherRoot] = [isRootCall(a), isRootCall(b)];
  if (a.start === b.start && root !== otherRoot) return root ? 1 : -1;
  return compareMoments(a.moment, b.moment);
}

/**
 * Looks at spans that come in stretches.
 *
 * @returns whether a call of those so far may be what another trace tells, too
 */
export function createAdoptionLook(): (nodes: readonly SpanNode[]) => boolean {
  const scopes = new Set<string>();
  let hasRoot = false;
  return (nodes) => {
    for (const node of nodes) {
      if (answerOf(node) === undefined) continue;
      scopes.add(node.record.scope.name);
      hasRoot ||= isRootCall(node);
    }
    return hasRoot && scopes.size > 1;
  };
}

/** A call that no span is around. Ours, and those of imports, know what else tells of them. */
function isRootCall(node: SpanNode): boolean {
  const { record } = node;
  const isForeign = !isOwnSpan(record) && !isImportedSpan(record);
  return record.parentSpanId === undefined && isForeign && answerOf(node) !== undefined;
}

function answerOf({ record }: SpanNode): string | undefined {
  const isCall = textAttribute(record, ATTR_GEN_AI_OPERATION_NAME) === OPERATION_CHAT;
  return isCall ? textAttribute(record, ATTR_GEN_AI_RESPONSE_ID) : undefined;
}

function topOf(node: SpanNode): SpanNode {
  let top = node;
  while (top.parent !== undefined) top = top.parent;
  return top;
}

function isSameCall(first: SpanNode, other: SpanNode): boolean {
  return (
    first.record.traceId !== other.record.traceId &&
    mayTellOneCall(callTeller(first.record), callTeller(other.record)) &&
    (first.end === undefined || other.start <= first.end)
  );
}
