import { createPricing, type Pricing } from "@thoughtflow/dialects/prices";
import type { FlowRecord, Session, SessionRecord, TombstoneRecord } from "@thoughtflow/schema";
import { adoptCalls } from "./adopted-calls.ts";
import { createContentReader } from "./content-reader.ts";
import { responsesOf } from "./continued-sessions.ts";
import { type DistinctRecords, distinctRecords } from "./distinct-spans.ts";
import { isMachinery } from "./machinery.ts";
import { neutralSpans } from "./neutral-spans.ts";
import { retoldSession, withRetold } from "./retold-session.ts";
import { isRetold } from "./retold-span.ts";
import { revisionOf } from "./revision.ts";
import { sessionFromRuns } from "./session-from-runs.ts";
import { spansBySession } from "./session-of-spans.ts";
import { type SharedReading, sessionRuns } from "./session-runs.ts";
import { type SpanNode, spanNodes } from "./span-node.ts";

/** What documents depend on besides their records. */
export interface AssembleOptions {
  /**
   * What model calls cost; with a price file of one's own, `createPricing(priceFile)` of
   * `@thoughtflow/dialects/prices`. Default: the table of genai-prices.
   */
  readonly pricing?: Pricing;
}

const tablePricing: Pricing = createPricing();

/**
 * The documents of all sessions that the records speak of, by session id. A pure function of the set of records:
 * their order, repetition and batching change nothing. Records are read, not kept or changed.
 */
export function assemble(
  records: Iterable<FlowRecord>,
  { pricing = tablePricing }: AssembleOptions = {},
): Session[] {
  const { nodes, ...decisions } = inTheirTraces(distinctRecords(records));
  const sessions = bySessionId(decisions.sessions);
  const tombstones = bySessionId(decisions.tombstones);
  const content = createContentReader();
  const bySession = spansBySession(nodes, content);
  const responses = responsesOf(bySession.values());
  for (const id of sessions.keys()) if (!bySession.has(id)) bySession.set(id, []);
  return [...bySession]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(
      ([id, ofSession]) =>
        assembleSession(id, ofSession, sessions.get(id) ?? [], tombstones.get(id) ?? [], {
          content,
          pricing,
          responses,
        }) ?? [],
    );
}

function inTheirTraces({ spans, sessions, tombstones }: DistinctRecords): {
  readonly nodes: readonly SpanNode[];
  readonly sessions: readonly SessionRecord[];
  readonly tombstones: readonly TombstoneRecord[];
} {
  const nodes = spanNodes(neutralSpans(spans));
  adoptCalls(nodes);
  return { nodes, sessions, tombstones };
}

function bySessionId<T extends { readonly sessionId: string }>(
  records: readonly T[],
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const record of records) {
    const group = groups.get(record.sessionId);
    if (group === undefined) groups.set(record.sessionId, [record]);
    else group.push(record);
  }
  return groups;
}

function assembleSession(
  id: string,
  nodes: readonly SpanNode[],
  records: readonly SessionRecord[],
  tombstones: readonly TombstoneRecord[],
  shared: SharedReading,
): Session | undefined {
  const erased = new Set(
    tombstones
      .filter(({ body }) => body === undefined)
      .map(({ traceId, spanId }) => spanKey(traceId, spanId)),
  );
  const spans = erased.size === 0 ? nodes : nodes.filter((node) => !isErased(node, erased));
  if (spans.every(({ record }) => isMachinery(record))) return undefined;
  const retold = spans.filter(({ record }) => isRetold(record));
  if (retold.length > 0) {
    const own = spans.filter(({ record }) => !isRetold(record));
    const recorded = assembleSession(id, own, records, tombstones, shared);
    return withRetold(recorded, retoldSession(id, retold));
  }
  const decisions = records.toSorted((a, b) =>
    Number(BigInt(a.timeUnixNano) - BigInt(b.timeUnixNano)),
  );
  const told = sessionRuns(spans, decisions, shared);
  return sessionFromRuns(id, spans, told, {
    decisions,
    revision: revisionOf(nodes, records, tombstones),
  });
}

function spanKey(traceId: string | undefined, spanId: string | undefined): string {
  return `${traceId ?? "*"}/${spanId ?? "*"}`;
}

/** Such a tombstone names a span, a trace, or neither and so the whole session. */
function isErased({ record }: SpanNode, erased: ReadonlySet<string>): boolean {
  const { traceId, spanId } = record;
  return [traceId, undefined].some((trace) =>
    [spanId, undefined].some((span) => erased.has(spanKey(trace, span))),
  );
}
