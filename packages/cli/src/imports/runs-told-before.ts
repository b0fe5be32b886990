import type { FlowRecord, SpanRecord } from "@thoughtflow/schema";
import { ATTR_GEN_AI_OPERATION_NAME, ATTR_SESSION_ID, OPERATION_CHAT } from "@thoughtflow/semconv";
import type { KnownCalls } from "./calls-of-document.ts";
import { IMPORT_SCOPE } from "./imported-span.ts";

/**
 * The runs of which a directory has the calls already, in others: by an import of another file that tells of the same, as a
 * transcript does and what was printed of its session, or by a version that told runs apart otherwise. Each would count twice.
 */
export interface RunsToldBefore {
  /** The records without such runs. */
  without(records: AsyncIterable<FlowRecord>): AsyncIterable<FlowRecord>;
  /** The traces that were left out, by their sessions. */
  readonly leftOut: ReadonlyMap<string, ReadonlySet<string>>;
}

/** @param callsOf What the directory has of a session. */
export function createRunsToldBefore(
  callsOf: (sessionId: string) => Promise<KnownCalls>,
): RunsToldBefore {
  const leftOut = new Map<string, Set<string>>();

  async function* without(records: AsyncIterable<FlowRecord>): AsyncGenerator<FlowRecord> {
    const known = new Map<string, KnownCalls>();
    /** Whether a run is new, by its trace: its first call tells it. */
    const areNew = new Map<string, boolean>();
    /** What came of a run before its first call. */
    const waiting = new Map<string, FlowRecord[]>();
    for await (const record of records) {
      const id = sessionOf(record);
      if (id === undefined || !isSpan(record)) {
        yield record;
        continue;
      }
      const calls = known.get(id) ?? (await callsOf(id));
      known.set(id, calls);
      const { traceId } = record;
      const isNew = calls.size === 0 || areNew.get(traceId);
      if (isNew === true) yield record;
      if (isNew !== undefined) continue;
      const before = waiting.get(traceId) ?? [];
      before.push(record);
      waiting.set(traceId, before);
      if (record.attributes[ATTR_GEN_AI_OPERATION_NAME] !== OPERATION_CHAT) continue;
      waiting.delete(traceId);
      const isKnown = calls.get(record.spanId)?.has(traceId) === false;
      areNew.set(traceId, !isKnown);
      if (isKnown) leftOut.set(id, (leftOut.get(id) ?? new Set()).add(traceId));
      else yield* before;
    }
    for (const rest of waiting.values()) yield* rest;
  }

  return { without, leftOut };
}

function isSpan(record: FlowRecord): record is SpanRecord {
  return record.type === "span_end" || record.type === "span_start";
}

/** Of what an import made: spans that others recorded may be told by several layers. */
function sessionOf(record: FlowRecord): string | undefined {
  if (!isSpan(record) || record.scope.name !== IMPORT_SCOPE) return undefined;
  const id = record.attributes[ATTR_SESSION_ID];
  return typeof id === "string" ? id : undefined;
}
