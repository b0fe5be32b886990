import { isImportedSpan, isSpan, type SessionTeller, tellerOf } from "@thoughtflow/dialects/spans";
import type { FlowRecord } from "@thoughtflow/schema";
import { ATTR_GEN_AI_OPERATION_NAME, ATTR_SESSION_ID, OPERATION_CHAT } from "@thoughtflow/semconv";
import type { KnownCalls } from "./calls-of-document.ts";

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

/** @param callsOf What the directory has of a session of which this tells. */
export function createRunsToldBefore(
  callsOf: (sessionId: string, teller: SessionTeller) => Promise<KnownCalls>,
): RunsToldBefore {
  const leftOut = new Map<string, Set<string>>();

  async function* without(records: AsyncIterable<FlowRecord>): AsyncGenerator<FlowRecord> {
    const known = new Map<string, KnownCalls>();
    /** The runs with a call that is not known. */
    const areNew = new Set<string>();
    /** What came of the others so far, by their traces. */
    const waiting = new Map<string, Waiting>();
    for await (const record of records) {
      const id = sessionOf(record);
      if (id === undefined || !isSpan(record)) {
        yield record;
        continue;
      }
      const calls = known.get(id) ?? (await callsOf(id, tellerOf(record)));
      known.set(id, calls);
      const { traceId } = record;
      const isCall = record.attributes[ATTR_GEN_AI_OPERATION_NAME] === OPERATION_CHAT;
      const isKnown = isCall && calls.get(record.spanId)?.has(traceId) === false;
      if (calls.size === 0 || areNew.has(traceId)) {
        yield record;
        continue;
      }
      const before = waiting.get(traceId) ?? { id, records: [], isKnown: false };
      waiting.set(traceId, before);
      before.records.push(record);
      before.isKnown ||= isKnown;
      if (!isCall || isKnown) continue;
      waiting.delete(traceId);
      areNew.add(traceId);
      yield* before.records;
    }
    for (const [traceId, rest] of waiting) {
      if (!rest.isKnown) yield* rest.records;
      else leftOut.set(rest.id, (leftOut.get(rest.id) ?? new Set()).add(traceId));
    }
  }

  return { without, leftOut };
}

/** What came of a run, of which no call is new so far. */
interface Waiting {
  readonly id: string;
  readonly records: FlowRecord[];
  /** One of its calls is known. */
  isKnown: boolean;
}

/** Of what an import made: spans that others recorded may be told by several layers. */
function sessionOf(record: FlowRecord): string | undefined {
  if (!isSpan(record) || !isImportedSpan(record)) return undefined;
  const id = record.attributes[ATTR_SESSION_ID];
  return typeof id === "string" ? id : undefined;
}
