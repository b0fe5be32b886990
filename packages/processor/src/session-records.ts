import {
  createJournalReader,
  type FileSystem,
  type Journal,
  realFileSystem,
} from "@thoughtflow/journal";
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

/** Where the records of this process are read. */
export type OwnRecords = Pick<Journal, "writer" | "recordsOfSession" | "recordsOfTraces"> & {
  /** How many records it has written. */
  readonly counters: Pick<Journal["counters"], "written">;
};

export function createSessionRecords(
  dir: string,
  own: OwnRecords,
  fs: FileSystem = realFileSystem,
): SessionRecords {
  const others = createJournalReader(dir, {
    filter: (writer) => writer !== own.writer,
    textsStay: true,
    // Of two writers the one that looks after it has written sees what the other has.
    mustLook: () => own.counters.written,
    fs,
  });

  /** Spans that name no session are found by the trace that their session is named after. */
  function ownRecords(sessionId: string, trace: string | undefined): FlowRecord[] {
    const named = own.recordsOfSession(sessionId);
    if (trace === undefined || named.some((record) => isOf(record, trace))) return named;
    return named.concat(own.recordsOfTraces([trace]));
  }

  return {
    *read(sessionId, isShared) {
      const trace = NAMED_AFTER_TRACE.exec(sessionId)?.[1];
      let mine: FlowRecord[] | undefined = ownRecords(sessionId, trace);
      // Of a session that is named after a trace of this process others know only if they have joined the trace.
      const isOwn = trace !== undefined && mine.some((record) => isOf(record, trace));
      if (isOwn && !isShared && !mine.some(hasRemoteParent)) {
        yield mine;
        return;
      }
      let known = -1;
      for (let round = 0; round < MOST_ROUNDS; round++) {
        others.refreshSync();
        const ofOthers = others.recordsOfSession(sessionId);
        if (ofOthers.length === known) return;
        known = ofOthers.length;
        const all = (mine ?? ownRecords(sessionId, trace)).concat(ofOthers);
        mine = undefined;
        yield all;
      }
    },
  };
}

function isOf(record: FlowRecord, traceId: string): boolean {
  return record.type !== "session" && record.traceId === traceId;
}

function hasRemoteParent(record: FlowRecord): boolean {
  return record.type === "span_end" && record.parentIsRemote === true;
}
