import type { FileSystem, Journal, Lease } from "@thoughtflow/journal";
import { createFilesMaking } from "./files-making.ts";
import type { LiveSession } from "./live-session.ts";
import { PictureError } from "./picture-error.ts";
import { leaseOfSession, leaseOfSessionSync } from "./session-lease.ts";
import { createSessionPlaces, type SessionPlaces } from "./session-places.ts";
import { createSessionRecords } from "./session-records.ts";

export interface SessionDocumentsConfig {
  readonly dir: string;
  readonly journal: Journal;
  readonly fs: FileSystem;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** Called with what went wrong; the file that was there stays. */
  readonly onFailure: (problem: unknown, what: string) => void;
  /** No app waits for the event loop here. Default false. */
  readonly isAlone?: boolean;
  /** How long a file of a document may be. Default `PART_BYTES`. */
  readonly partBytes?: number;
}

/** Has the files of sessions made under the lease of each, and counts them. Nothing here throws. */
export interface SessionDocuments {
  readonly counters: DocumentCounters;
  /** The session whose files are being written. */
  readonly inWork: LiveSession | undefined;
  /** One after the other: never two at once. */
  write(session: LiveSession): Promise<void>;
  /** At once, for the end of a process. */
  writeSync(session: LiveSession): void;
  /** Takes the files of a session away. */
  remove(sessionId: string): void;
  /** The one in work will never be finished: others may write it. */
  abandon(): void;
}

/** What was written; a document counts once, however many files it has, and also where its pictures could not be written. */
export interface DocumentCounters extends Readonly<SessionPlaces["counters"]> {
  readonly documentsWritten: number;
  readonly documentsFailed: number;
}

export function createSessionDocuments(config: SessionDocumentsConfig): SessionDocuments {
  const { dir, journal, fs, now, onFailure } = config;
  const records = createSessionRecords(dir, journal, fs, now);
  const places = createSessionPlaces({ dir, journal, records, fs, now });
  const making = createFilesMaking({ ...config, records, places });
  let documentsWritten = 0;
  let documentsFailed = 0;
  let inWork: LiveSession | undefined;
  let leaseInWork: Lease | undefined;

  async function write(session: LiveSession): Promise<void> {
    inWork = session;
    try {
      leaseInWork = await leaseOfSession(journal, session.id);
      await making.make(session, leaseInWork);
      documentsWritten++;
    } catch (error) {
      failed(error, session);
    }
    leaseInWork?.release();
    leaseInWork = undefined;
    inWork = undefined;
  }

  function writeSync(session: LiveSession): void {
    let lease: Lease | undefined;
    try {
      lease = leaseOfSessionSync(journal, session.id);
      making.makeSync(session, lease);
      documentsWritten++;
    } catch (error) {
      failed(error, session);
    }
    lease?.release();
  }

  function failed(error: unknown, session: LiveSession): void {
    session.isDirty = true;
    session.hasFailed = true;
    session.lacksPicture = error instanceof PictureError;
    if (session.lacksPicture) documentsWritten++;
    else documentsFailed++;
    onFailure(error, `the files of session ${JSON.stringify(session.id)}`);
  }

  return {
    get counters() {
      return { ...places.counters, documentsWritten, documentsFailed };
    },
    get inWork() {
      return inWork;
    },
    write,
    writeSync,
    remove(sessionId) {
      places.remove(sessionId, (problem) =>
        onFailure(problem, `the removal of session ${JSON.stringify(sessionId)}`),
      );
    },
    abandon: () => leaseInWork?.release(),
  };
}
