import { sessionIdOf } from "@thoughtflow/dialects/spans";
import type { FlowRecord } from "@thoughtflow/schema";

/** The records of sessions whose files are still to be written: they need not be read from the journal again. */
export interface HeldRecords {
  /** Takes a record that adds so many bytes to the journal. */
  take(record: FlowRecord, bytes: number): void;
  /** All that was taken of a session, and lets go of it; `undefined` where some of it is in the journal alone. */
  release(sessionId: string): FlowRecord[] | undefined;
}

interface Held {
  readonly records: FlowRecord[];
  bytes: number;
}

const MOST_BYTES = 32 * 2 ** 20;

/**
 * Holds no more than so many bytes, by default 32 MiB: the session that goes beyond them is in the journal alone. So is one that
 * shares a trace with another, and everything once a span names no session: what belongs together is for the journal to say.
 */
export function createHeldRecords(most: number = MOST_BYTES): HeldRecords {
  const sessions = new Map<string, Held | undefined>();
  const traces = new Map<string, string>();
  let total = 0;
  let isUnclear = false;

  function letGo(sessionId: string): void {
    total -= sessions.get(sessionId)?.bytes ?? 0;
    sessions.set(sessionId, undefined);
  }

  function sessionOf(record: FlowRecord): string | undefined {
    if (record.type === "session" || record.type === "tombstone") return record.sessionId;
    const sessionId = sessionIdOf(record);
    if (sessionId === undefined) return undefined;
    const other = traces.get(record.traceId);
    traces.set(record.traceId, sessionId);
    if (other !== undefined && other !== sessionId) for (const id of [other, sessionId]) letGo(id);
    return sessionId;
  }

  return {
    take(record, bytes) {
      if (isUnclear) return;
      const sessionId = sessionOf(record);
      if (sessionId === undefined) {
        isUnclear = true;
        sessions.clear();
        traces.clear();
        return;
      }
      const held = sessions.has(sessionId) ? sessions.get(sessionId) : { records: [], bytes: 0 };
      sessions.set(sessionId, held);
      if (held === undefined) return;
      held.records.push(record);
      held.bytes += bytes;
      total += bytes;
      if (total > most) letGo(sessionId);
    },
    release(sessionId) {
      const held = sessions.get(sessionId);
      letGo(sessionId);
      return held?.records;
    },
  };
}
