import {
  createJournalReader,
  type FileSystem,
  type Journal,
  realFileSystem,
  traceOfSession,
} from "@thoughtflow/journal";
import type { FlowRecord } from "@thoughtflow/schema";

/** All that the journals of a flow directory hold of one session. */
export interface SessionRecords {
  /**
   * Own records and those of other writers, so that two processes never overwrite each other's steps. All of them
   * again, as long as other writers added some while the reader was busy with the last ones. `isShared`: somebody
   * else has written the session's file. `isEnding`: the process ends, and has 200 ms to look at others' journals.
   */
  read(sessionId: string, isShared: boolean, isEnding?: boolean): Iterable<FoundRecords>;
}

/** What was found of a session. */
export interface FoundRecords {
  readonly records: FlowRecord[];
  /** There was no time to look at all journals of others: these are this process's own records. */
  readonly isOwnOnly: boolean;
}

/** How often a session is read again because another process appended meanwhile. */
export const MOST_ROUNDS = 3;

/** Milliseconds that a process that ends looks at others' journals for. */
const LOOK_AT_END_MS = 200;

/**
 * Throws where nothing of a session can be read of which this process has so many records: an app that replaces what the
 * language brings may have made a document of nothing.
 */
export function checkReadable(sessionId: string, found: number, records: number): void {
  if (found === 0 && records > 0)
    throw new Error(`none of ${records} records of session ${sessionId} could be read`);
}

/** Where the records of this process are read. */
export type OwnRecords = Pick<Journal, "writer" | "recordsOfSession" | "recordsOfTraces"> & {
  /** How many records it has written. */
  readonly counters: Pick<Journal["counters"], "written">;
};

/** @param now milliseconds, monotonic */
export function createSessionRecords(
  dir: string,
  own: OwnRecords,
  fs: FileSystem = realFileSystem,
  now: () => number = () => performance.now(),
): SessionRecords {
  const others = createJournalReader(dir, {
    filter: (writer) => writer !== own.writer,
    textsStay: true,
    // Of two writers the one that looks after it has written sees what the other has.
    mustLook: () => own.counters.written,
    fs,
  });

  /** Spans that name no session are found by the trace that their session is named after. */
  function recordsIn(
    journal: Pick<Journal, "recordsOfSession" | "recordsOfTraces">,
    sessionId: string,
    trace: string | undefined,
  ): FlowRecord[] {
    const named = journal.recordsOfSession(sessionId);
    if (trace === undefined || named.some((record) => isOf(record, trace))) return named;
    return named.concat(journal.recordsOfTraces([trace]));
  }

  /** Once there was no time for all of them, there is none for the next session either. */
  let areTooMany = false;

  /** Takes in what others have written; false when that is not all of it. */
  function look(isEnding: boolean): boolean {
    if (!isEnding) return others.refreshSync();
    if (areTooMany) return false;
    const end = now() + LOOK_AT_END_MS;
    areTooMany = !others.refreshSync(() => now() >= end);
    return !areTooMany;
  }

  return {
    *read(sessionId, isShared, isEnding = false) {
      const trace = traceOfSession(sessionId);
      let mine: FlowRecord[] | undefined = recordsIn(own, sessionId, trace);
      // Of a session that is named after a trace of this process others know only if they have joined the trace.
      const isOwn = trace !== undefined && mine.some((record) => isOf(record, trace));
      if (isOwn && !isShared && !mine.some(hasRemoteParent)) {
        yield { records: mine, isOwnOnly: false };
        return;
      }
      let known = -1;
      for (let round = 0; round < MOST_ROUNDS; round++) {
        if (!look(isEnding)) {
          if (mine !== undefined) yield { records: mine, isOwnOnly: true };
          return;
        }
        const ofOthers = recordsIn(others, sessionId, trace);
        if (ofOthers.length === known) return;
        known = ofOthers.length;
        const records = (mine ?? recordsIn(own, sessionId, trace)).concat(ofOthers);
        mine = undefined;
        yield { records, isOwnOnly: false };
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
