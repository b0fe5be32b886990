import type {
  Conflict,
  FlowRecord,
  SessionRecord,
  SpanRecord,
  TombstoneRecord,
} from "@thoughtflow/schema";
import { stableJson } from "@thoughtflow/schema/canonical";

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
}

/**
 * One body for each (trace id, span id): ended beats open, then the later end, then the greater canonical body.
 * The other distinct bodies of the same type are conflicts, sorted; a start beside an end is none.
 */
export function distinctRecords(records: Iterable<FlowRecord>): DistinctRecords {
  const bySpan = new Map<string, SpanRecord[]>();
  const others = new Map<string, SessionRecord | TombstoneRecord>();
  for (const record of records) {
    if (record.type === "session" || record.type === "tombstone") {
      others.set(stableJson(record), record);
      continue;
    }
    const key = `${record.traceId}/${record.spanId}`;
    const known = bySpan.get(key);
    if (known === undefined) bySpan.set(key, [record]);
    else if (!known.includes(record)) known.push(record);
  }
  const sorted = [...others].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);
  return {
    spans: [...bySpan.values()].map(distinctSpan),
    sessions: sorted.filter((record) => record.type === "session"),
    tombstones: sorted.filter((record) => record.type === "tombstone"),
  };
}

function distinctSpan(records: readonly SpanRecord[]): DistinctSpan {
  const ended = records.filter((record) => record.type === "span_end");
  const among = ended.length > 0 ? ended : records;
  const [only] = among;
  if (among.length === 1 && only !== undefined) return { record: only, conflicts: [] };
  const bodies = new Map<string, SpanRecord>();
  for (const record of among) bodies.set(bodyOf(record), record);
  const ranked = [...bodies].toSorted(([a, one], [b, other]) => {
    const later = endOf(other) - endOf(one);
    if (later !== 0n) return later > 0n ? 1 : -1;
    return a < b ? 1 : -1;
  });
  const [winner, ...rest] = ranked;
  if (winner === undefined) throw new RangeError("a span without records");
  const { traceId, spanId } = winner[1];
  const conflicts = rest.map(([body]) => ({ trace_id: traceId, span_id: spanId, body }));
  return { record: winner[1], conflicts: conflicts.toSorted((a, b) => (a.body < b.body ? -1 : 1)) };
}

function endOf(record: SpanRecord): bigint {
  return BigInt(record.endTimeUnixNano ?? record.startTimeUnixNano);
}

/** Compact JSON, equal for equal spans whichever way their content came. */
function bodyOf(record: SpanRecord): string {
  const { content = {}, ...rest } = record;
  const written = Object.entries(content).map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : `[${value.join(",")}]`,
  ]);
  const attributes = Object.fromEntries([...Object.entries(rest.attributes), ...written]);
  return stableJson({ ...rest, attributes });
}
