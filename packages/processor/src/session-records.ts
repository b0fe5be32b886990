import { createJournalReader, type Journal } from "@thoughtflow/journal";
import type { FlowRecord } from "@thoughtflow/schema";

/** All that the journals of a flow directory hold of one session. */
export interface SessionRecords {
  /**
   * Own records and those of other writers, so that two processes never overwrite each other's steps. All of them
   * again, as long as other writers added some while the reader was busy with the last ones. `isShared`: somebody
   * else has written the session's file.
   */
  read(sessionId: string, isShared: boolean): Iterable<FlowRecord[]>;
}

/** How often a session is read again because another process appended meanwhile. */
const MOST_ROUNDS = 3;

const NAMED_AFTER_TRACE = /^(?:s|misc)_([0-9a-f]{32})$/;

export function createSessionRecords(dir: string, journal: Journal): SessionRecords {
  const others = createJournalReader(dir, { filter: (writer) => writer !== journal.writer });

  /** Spans that name no session are found by the trace that their session is named after. */
  function recordsOfOwnTrace(sessionId: string): FlowRecord[] {
    const trace = NAMED_AFTER_TRACE.exec(sessionId)?.[1];
    return trace === undefined ? [] : journal.recordsOfTraces([trace]);
  }

  return {
    *read(sessionId, isShared) {
      const ofTrace = recordsOfOwnTrace(sessionId);
      // Of a session that is named after a trace of this process others know only if they have joined the trace.
      if (ofTrace.length > 0 && !isShared && !ofTrace.some(hasRemoteParent)) {
        yield journal.recordsOfSession(sessionId).concat(ofTrace);
        return;
      }
      let known = -1;
      for (let round = 0; round < MOST_ROUNDS; round++) {
        others.refreshSync();
        const ofOthers = others.recordsOfSession(sessionId);
        if (ofOthers.length === known) return;
        known = ofOthers.length;
        yield journal.recordsOfSession(sessionId).concat(recordsOfOwnTrace(sessionId), ofOthers);
      }
    },
  };
}

function hasRemoteParent(record: FlowRecord): boolean {
  return record.type === "span_end" && record.parentIsRemote === true;
}
