import { sessionIdOf } from "@thoughtflow/dialects/spans";
import type { FlowRecord } from "@thoughtflow/schema";
import type { TraceSessions } from "./trace-sessions.ts";

/** The records of sessions whose files are still to be written: they need not be read from the journal again. */
export interface HeldRecords {
  /** Takes a record that adds so many bytes to the journal. */
  take(record: FlowRecord, bytes: number): void;
  /** What was taken of a session so far; `undefined` where some of it is in the journal alone. */
  of(sessionId: string): readonly FlowRecord[] | undefined;
  /** All that was taken of a session, and lets go of it; `undefined` where some of it is in the journal alone. */
  release(sessionId: string): FlowRecord[] | undefined;
}

interface Held {
  readonly records: FlowRecord[];
  bytes: number;
}

const MOST_BYTES = 32 * 2 ** 20;

/** Bounds of what is held, and who hears of what is not held any more. */
export interface HeldRecordsOptions {
  /** Of the records before. */
  readonly traces: Pick<TraceSessions, "of">;
  /** Default 32 MiB. */
  readonly mostBytes?: number;
  /** Hears of the records of a session of which the next one is in the journal alone. */
  readonly onLetGo?: (sessionId: string, records: readonly FlowRecord[]) => void;
}

/**
 * Holds no more than so many bytes: the session that goes beyond them is in the journal alone. So is one that shares a trace
 * with another, and everything once a span names no session: what belongs together is for the journal to say.
 */
export function createHeldRecords({
  traces,
  mostBytes = MOST_BYTES,
  onLetGo = () => {},
}: HeldRecordsOptions): HeldRecords {
  const sessions = new Map<string, Held | undefined>();
  let total = 0;
  let isUnclear = false;

  function taken(sessionId: string): FlowRecord[] | undefined {
    const held = sessions.get(sessionId);
    total -= held?.bytes ?? 0;
    sessions.set(sessionId, undefined);
    return held?.records;
  }

  function letGo(sessionId: string): void {
    const records = taken(sessionId);
    if (records !== undefined) onLetGo(sessionId, records);
  }

  function sessionOf(record: FlowRecord): string | undefined {
    if (record.type === "session" || record.type === "tombstone") return record.sessionId;
    const sessionId = sessionIdOf(record);
    if (sessionId === undefined) return undefined;
    const other = traces.of(record.traceId);
    if (other !== undefined && other !== sessionId) for (const id of [other, sessionId]) letGo(id);
    return sessionId;
  }

  return {
    take(record, bytes) {
      if (isUnclear) return;
      const sessionId = sessionOf(record);
      if (sessionId === undefined) {
        isUnclear = true;
        for (const id of sessions.keys()) letGo(id);
        return;
      }
      const held = sessions.has(sessionId) ? sessions.get(sessionId) : { records: [], bytes: 0 };
      sessions.set(sessionId, held);
      if (held === undefined) return;
      if (total + bytes > mostBytes) {
        letGo(sessionId);
        return;
      }
      held.records.push(record);
      held.bytes += bytes;
      total += bytes;
    },
    of: (sessionId) => sessions.get(sessionId)?.records,
    release: taken,
  };
}
