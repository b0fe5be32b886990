import type {
  Conflict,
  FlowRecord,
  SessionRecord,
  SpanRecord,
  TombstoneRecord,
} from "@thoughtflow/schema";
import { stableJson } from "@thoughtflow/schema/canonical";
import { erasedBodies } from "./erased-bodies.ts";
import { isRetold, retoldRevision } from "./retold-span.ts";
import { bodyOfSpan } from "./span-body.ts";
import { createSpanMap } from "./span-map.ts";

/** What is left of a set of records when every span is known once. */
export interface DistinctRecords {
  readonly spans: readonly DistinctSpan[];
  readonly sessions: readonly SessionRecord[];
  readonly tombstones: readonly TombstoneRecord[];
}

/** The body that stands for a span, and the others that came under its name. */
export interface DistinctSpan {
  readonly record: SpanRecord;
  readonly conflicts: readonly Conflict[];
  /** What the span adds to the revision: 2 ended, 1 only started, 1 for each further body of either kind. */
  readonly weight: number;
}

/**
 * One body for each (trace id, span id): ended beats open, then the later end, then the greater canonical body.
 * The other distinct bodies of the same type are conflicts, sorted; a start beside an end is none.
 */
export function distinctRecords(records: Iterable<FlowRecord>): DistinctRecords {
  const bySpan = createSpanMap<SpanRecord[]>();
  const others = new Map<string, SessionRecord | TombstoneRecord>();
  for (const record of records) {
    if (record.type === "session" || record.type === "tombstone") {
      others.set(stableJson(record), record);
      continue;
    }
    const { traceId, spanId } = record;
    const known = bySpan.get(traceId, spanId);
    if (known === undefined) bySpan.set(traceId, spanId, [record]);
    else if (!known.includes(record)) known.push(record);
  }
  const sorted = [...others].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);
  const tombstones = sorted.filter((record) => record.type === "tombstone");
  return {
    spans: withoutErasedBodies(bySpan.values(), tombstones).map(distinctSpan),
    sessions: sorted.filter((record) => record.type === "session"),
    tombstones,
  };
}

/** Spans of which every body was erased are gone. */
function withoutErasedBodies(
  spans: readonly SpanRecord[][],
  tombstones: readonly TombstoneRecord[],
): readonly (readonly SpanRecord[])[] {
  const isErased = erasedBodies(tombstones);
  if (isErased === undefined) return spans;
  return spans
    .map((known) => known.filter((record) => !isErased(record)))
    .filter((known) => known.length > 0);
}

const NO_CONFLICTS: readonly Conflict[] = [];

function distinctSpan(known: readonly SpanRecord[]): DistinctSpan {
  const records = withoutRetold(known);
  const [only] = records;
  if (records.length === 1 && only !== undefined)
    return { record: only, conflicts: NO_CONFLICTS, weight: only.type === "span_end" ? 2 : 1 };
  const ends = distinctBodies(records.filter((record) => record.type === "span_end"));
  const starts = distinctBodies(records.filter((record) => record.type === "span_start"));
  const [winner, ...rest] = ends.length > 0 ? ends : starts;
  if (winner === undefined) throw new RangeError("a span without records");
  const { traceId, spanId } = winner.record;
  const conflicts = rest.map(({ body }) => ({ trace_id: traceId, span_id: spanId, body }));
  return {
    record: winner.record,
    conflicts: conflicts.toSorted((a, b) => (a.body < b.body ? -1 : 1)),
    weight:
      (ends.length > 0 ? 1 + ends.length : 0) +
      Math.max(starts.length - (ends.length > 0 ? 1 : 0), 0),
  };
}

/** A span that was made from a document gives way to the one that the document was made from, or to a later document's. */
function withoutRetold(records: readonly SpanRecord[]): readonly SpanRecord[] {
  if (records.length === 1) return records;
  const recorded = records.filter((record) => !isRetold(record));
  if (recorded.length > 0) return recorded;
  const latest = Math.max(...records.map(retoldRevision));
  return records.filter((record) => retoldRevision(record) === latest);
}

interface Body {
  readonly record: SpanRecord;
  readonly body: string;
}

/** Each body once, the one that stands for the span first. */
function distinctBodies(records: readonly SpanRecord[]): readonly Body[] {
  if (records.length === 0) return [];
  const bodies = new Map<string, SpanRecord>();
  for (const record of records) bodies.set(bodyOfSpan(record), record);
  return [...bodies]
    .map(([body, record]) => ({ body, record }))
    .toSorted((a, b) => {
      const later = endOf(b.record) - endOf(a.record);
      if (later !== 0n) return later > 0n ? 1 : -1;
      return a.body < b.body ? 1 : -1;
    });
}

function endOf(record: SpanRecord): bigint {
  return BigInt(record.endTimeUnixNano ?? record.startTimeUnixNano);
}
