import { createJournalReader, type Journal } from "@thoughtflow/journal";
import type { FlowRecord } from "@thoughtflow/schema";

/** All that the journals of a flow directory hold of one session. */
export interface SessionRecords {
  /** Own records and those of other writers, so that two processes never overwrite each other's steps. */
  read(sessionId: string, traces: ReadonlySet<string>): FlowRecord[];
  /** How many records other writers have of it now: whether `read` missed some that came since. */
  countOfOthers(sessionId: string, traces: ReadonlySet<string>): number;
}

export function createSessionRecords(dir: string, journal: Journal): SessionRecords {
  const others = createJournalReader(dir, { filter: (writer) => writer !== journal.writer });

  function recordsOfOthers(sessionId: string, traces: ReadonlySet<string>): FlowRecord[] {
    if (isNamedAfter(traces, sessionId)) return [];
    others.refreshSync();
    return others.recordsOfSession(sessionId);
  }

  return {
    read(sessionId, traces) {
      const own = journal.recordsOfSession(sessionId);
      // Spans that name no session are found by their trace only.
      if (isNamedAfter(traces, sessionId)) own.push(...journal.recordsOfTraces(traces));
      return own.concat(recordsOfOthers(sessionId, traces));
    },
    countOfOthers: (sessionId, traces) => recordsOfOthers(sessionId, traces).length,
  };
}

/** `s_<trace id>` and `misc_<trace id>` of an own trace: no other process can know such a session. */
function isNamedAfter(traces: ReadonlySet<string>, sessionId: string): boolean {
  const trace = /^(?:s|misc)_([0-9a-f]{32})$/.exec(sessionId)?.[1];
  return trace !== undefined && traces.has(trace);
}
