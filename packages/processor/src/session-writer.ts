import { createRequire } from "node:module";
import { join } from "node:path";
// Not the globals, which a test of the application may have replaced.
import { clearTimeout, setTimeout } from "node:timers";
import {
  type FileSystem,
  fileNameOf,
  type Journal,
  type Lease,
  placeDocument,
  realFileSystem,
  type WriteDocumentOptions,
  type WriteResult,
  writeDocument,
  writeDocumentSync,
} from "@thoughtflow/journal";
import { revisionInDocument, sizeOfDocument, stateOfDocument } from "./document-state.ts";
import { MissingCodeError } from "./missing-code-error.ts";
import { currentPriceFile } from "./price-file.ts";
import type * as SessionFiles from "./session-files.ts";
import { leaseOfSession, leaseOfSessionSync } from "./session-lease.ts";
import { createSessionRecords } from "./session-records.ts";

/** One session as the writer of its file knows it. */
interface LiveSession {
  readonly id: string;
  /** Journal bytes of its records, now and when the file was last written. */
  bytes: number;
  /** How many those are. */
  records: number;
  writtenBytes: number;
  writtenAt: number;
  isDirty: boolean;
  /** The last try to write its files did not succeed. */
  hasFailed: boolean;
  isQueued: boolean;
  /** Left by a dead process: its files may be as they should be already. */
  isAdopted: boolean;
  /** Why its files are written next. */
  reason: WriteReason;
  quiet: NodeJS.Timeout | undefined;
  /** Looks whether a long run has grown. */
  checkpoint: NodeJS.Timeout | undefined;
  /** The state in which its document was left. */
  leftAs: string | undefined;
  /** Its document was found in another state: other processes write it too. */
  isShared: boolean;
}

/** It grew by a quarter, in 30 s at most; a run ended and it was quiet; somebody asked for it; or its process was killed. */
type WriteReason = "growth" | "quiet" | "flush" | "recovery";

/** What a session writer is made of. */
export interface SessionWriterOptions {
  readonly dir: string;
  readonly journal: Journal;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** Called with what went wrong; the file that was there stays. */
  readonly onFailure: (problem: unknown, what: string) => void;
  readonly fs?: FileSystem;
  /** When a session that is being worked on is looked at whether it has grown. Default 30,000. */
  readonly checkpointMs?: number;
  /** How many sessions are remembered, about. Default 10,000. */
  readonly limit?: number;
  /** Spans of one trace come to several processes, so that each looks at the others' journals. Default false. */
  readonly sharesTraces?: boolean;
}

/**
 * Decides when a session's files are written, and writes them. Of a server's many sessions only the latest are
 * remembered: one that comes back is read from the journal like any other, so its files are whole again.
 */
export interface SessionWriter {
  /** A record of the session went into the journal. */
  recorded(sessionId: string, bytes: number): void;
  /** A run of the session ended: its files are written in the first quiet second. */
  runEnded(sessionId: string): void;
  /** All that was in the session is in another one: its files go. */
  moved(sessionId: string): void;
  /** Writes all that changed. */
  flush(): Promise<void>;
  flushSync(): void;
  /** Brings the files of a dead process's session up to date; true when they are. */
  adopt(sessionId: string): Promise<boolean>;
  adoptSync(sessionId: string): boolean;
  /** Whether every session's files hold all that was recorded. */
  readonly isSettled: boolean;
  readonly counters: SessionCounters;
  /** The sessions that are remembered: more may come of them. */
  ids(): Iterable<string>;
}

/** What the writer did; a document counts once, however many files it has. */
export interface SessionCounters {
  readonly documentsWritten: number;
  readonly documentsFailed: number;
  readonly sessionsRemembered: number;
  /** Bytes of all files, by why they were written. Those for growth total at most six times the last ones. */
  readonly bytesWritten: Readonly<Record<WriteReason, number>>;
}

/** After a run's end, how long nothing may happen before the file is written. */
const QUIET_MS = 1_000;
/** Least time between two such writes. */
const LEAST_INTERVAL_MS = 30_000;
/** A file is also written when its session's records grew by a quarter, at once only for more than this. */
const GROWTH = 1.25;
/** For less, a run that takes long is written at its checkpoints. */
const CHECKPOINT_MS = 30_000;
const LEAST_GROWTH_BYTES = 256 * 1024;
/** Bytes of a session, in this process's journal or in the file that is there: more hold the app up for some 30 ms. */
const LARGE_BYTES = 256 * 1024;
/** So many times a session's own bytes are read at most for a thread to find them. */
const MOST_READ = 64;
/** Of a document, at least: what other processes have recorded of it is not counted here. */
const BYTES_OF_A_SPAN = 1024;
const MOST_SESSIONS = 10_000;
/** A tenth is forgotten at once: a map that loses one entry at its front for each new one gets slow. */
const KEPT = 0.9;

/**
 * What makes documents is loaded when the first is written and not before: an app's first answer must not wait for
 * it. At the end of a process there is no time for a promise.
 */
function loadSync(): typeof SessionFiles {
  try {
    return createRequire(import.meta.url)("#session-files");
  } catch (cause) {
    throw new MissingCodeError(cause);
  }
}

/** A writer that knows no session yet; it starts no timer before the first record. */
export function createSessionWriter(options: SessionWriterOptions): SessionWriter {
  const { dir, journal, now, onFailure, limit = MOST_SESSIONS } = options;
  const { fs = realFileSystem, checkpointMs = CHECKPOINT_MS, sharesTraces = false } = options;
  const records = createSessionRecords(dir, journal, fs);
  /** The one longest untouched first. */
  const sessions = new Map<string, LiveSession>();
  const bytesWritten: Record<WriteReason, number> = { growth: 0, quiet: 0, flush: 0, recovery: 0 };
  const counts = { documentsWritten: 0, documentsFailed: 0 };
  let writing = Promise.resolve();
  let queued = 0;
  let roomAt = limit;
  let inWork: LiveSession | undefined;
  let leaseInWork: Lease | undefined;
  let hasForgotten = false;
  /** A file system of the caller's own can't go to a thread. */
  let hasThreads = fs === realFileSystem;

  function touch(id: string): LiveSession {
    const session = sessions.get(id) ?? newSession(id, sharesTraces);
    sessions.delete(id);
    sessions.set(id, session);
    return session;
  }

  /** Above the limit, forgets the sessions longest untouched; those that are not written yet, once they are. */
  function makeRoom(): void {
    if (sessions.size <= limit) roomAt = limit;
    if (sessions.size <= roomAt) return;
    // Those that wait to be written go when they are; until many more have come, a look at them again is in vain.
    roomAt = sessions.size + (1 - KEPT) * limit;
    let excess = sessions.size - KEPT * limit;
    for (const session of sessions.values()) {
      if (excess-- <= 0) return;
      if (session.isQueued || session === inWork) continue;
      if (session.isDirty && !session.hasFailed) enqueue(session, "flush");
      else forget(session);
    }
  }

  function forget({ id, quiet, checkpoint, isDirty }: LiveSession): void {
    hasForgotten ||= isDirty;
    clearTimeout(quiet);
    clearTimeout(checkpoint);
    sessions.delete(id);
  }

  /** Takes note that the files are made now; answers what their making has to know. */
  function begin(session: LiveSession): { isShared: boolean; known: number | undefined } {
    session.isDirty = false;
    session.hasFailed = false;
    session.writtenBytes = session.bytes;
    session.writtenAt = now();
    clearTimeout(session.quiet);
    session.quiet = undefined;
    const document = documentOf(session);
    session.isShared ||= session.isAdopted || stateOfDocument(document, fs) !== session.leftAs;
    const known = session.isAdopted ? revisionInDocument(document, fs) : undefined;
    session.isAdopted = false;
    return { isShared: session.isShared, known };
  }

  function documentOf({ id }: LiveSession): string {
    return join(dir, `${fileNameOf(id)}.json`);
  }

  /** The files as they are now, again as long as other processes add to them. */
  function* filesOf(
    session: LiveSession,
    make: typeof SessionFiles.sessionFiles,
  ): Generator<SessionFiles.SessionFile> {
    const { isShared, known } = begin(session);
    for (const found of records.read(session.id, isShared)) yield* make(found, session.id, known);
    session.leftAs = stateOfDocument(documentOf(session), fs);
  }

  /** Nothing takes the place of a file that somebody else has the right to write by now. */
  function optionsFor(lease: Lease | undefined): WriteDocumentOptions {
    return { fs, ...(lease !== undefined && { mayReplace: lease.renew }) };
  }

  function writeSync(session: LiveSession): void {
    let lease: Lease | undefined;
    try {
      const { sessionFiles } = loadSync();
      lease = leaseOfSessionSync(journal, session.id);
      for (const { folder, name, chunks } of filesOf(session, sessionFiles)) {
        const place = journal.directory.make(folder);
        bytesWritten.flush += bytesOf(writeDocumentSync(place, name, chunks, optionsFor(lease)));
      }
      counts.documentsWritten++;
    } catch (error) {
      failed(error, session);
    }
    lease?.release();
  }

  async function write(session: LiveSession): Promise<void> {
    session.isQueued = false;
    queued--;
    if (!session.isDirty) return;
    inWork = session;
    try {
      leaseInWork = await leaseOfSession(journal, session.id);
      if (!(await writeBeside(session))) await writeHere(session);
      counts.documentsWritten++;
    } catch (error) {
      failed(error, session);
    }
    leaseInWork?.release();
    leaseInWork = undefined;
    inWork = undefined;
    if (queued === 0) roomAt = limit;
    makeRoom();
  }

  async function writeHere(session: LiveSession): Promise<void> {
    const { sessionFiles } = await import("./session-files.ts");
    for (const { folder, name, chunks } of filesOf(session, sessionFiles)) {
      const place = journal.directory.make(folder);
      const result = await writeDocument(place, name, chunks, optionsFor(leaseInWork));
      bytesWritten[session.reason] += bytesOf(result);
    }
  }

  /** Has the files of a large session made in another thread; false where that is not worth it, or not possible. */
  async function writeBeside(session: LiveSession): Promise<boolean> {
    const inFile = sizeOfDocument(documentOf(session), fs);
    if (!hasThreads || Math.max(session.bytes, inFile) < LARGE_BYTES) return false;
    const { counters } = journal;
    const appended = counters.appended - counters.dropped;
    await journal.flush();
    // It may have grown much meanwhile.
    const size = Math.max(session.bytes, inFile);
    // The thread reads the journal: what is not there it can't know, and a long one takes it long.
    if (counters.written < appended || counters.bytes > MOST_READ * size) return false;
    const { prepareBeside, NoThreadError } = await import("./prepare-beside.ts");
    const { id: sessionId, reason } = session;
    try {
      const { writer } = journal;
      const spans = Math.max(session.records, inFile / BYTES_OF_A_SPAN);
      const prices = currentPriceFile();
      const task = { dir, writer, sessionId, spans, prices, ...begin(session) };
      for (const file of await prepareBeside(task, reason === "flush")) {
        journal.directory.make(file.folder);
        bytesWritten[reason] += bytesOf(placeDocument(file, optionsFor(leaseInWork)));
      }
    } catch (error) {
      if (!(error instanceof NoThreadError)) throw error;
      hasThreads = false;
      return false;
    }
    session.leftAs = stateOfDocument(documentOf(session), fs);
    return true;
  }

  function removeFilesOf(sessionId: string): void {
    const name = fileNameOf(sessionId);
    for (const ending of [".json", ".d2", ".svg", ".scores.jsonl"]) {
      try {
        fs.unlinkSync(join(dir, `${name}${ending}`));
      } catch (error) {
        const isGone = error instanceof Error && "code" in error && error.code === "ENOENT";
        if (!isGone) onFailure(error, `the removal of session ${JSON.stringify(sessionId)}`);
      }
    }
  }

  /** One session after the other: never two writers of one file. */
  function enqueue(session: LiveSession, reason: WriteReason): void {
    if (session.isQueued) return;
    session.isQueued = true;
    queued++;
    session.reason = reason;
    writing = writing.then(() => write(session));
  }

  function failed(error: unknown, session: LiveSession): void {
    counts.documentsFailed++;
    session.isDirty = true;
    session.hasFailed = true;
    onFailure(error, `the files of session ${JSON.stringify(session.id)}`);
  }

  function adopted(sessionId: string): LiveSession {
    const session = touch(sessionId);
    // One that is written here too is dirty with what this process knows.
    session.isAdopted ||= !session.isDirty && session.leftAs === undefined;
    session.isDirty = true;
    return session;
  }

  function writeWhenGrown(session: LiveSession): void {
    if (session.bytes > session.writtenBytes * GROWTH) enqueue(session, "growth");
  }

  function lookAtGrowth(session: LiveSession): void {
    session.checkpoint = undefined;
    if (session.isDirty) writeWhenGrown(session);
  }

  function writeWhenQuiet(session: LiveSession): void {
    clearTimeout(session.quiet);
    const wait = Math.max(QUIET_MS, session.writtenAt + LEAST_INTERVAL_MS - now());
    session.quiet = setTimeout(() => enqueue(session, "quiet"), wait);
    session.quiet.unref();
  }

  return {
    counters: {
      bytesWritten,
      get documentsWritten() {
        return counts.documentsWritten;
      },
      get documentsFailed() {
        return counts.documentsFailed;
      },
      get sessionsRemembered() {
        return sessions.size;
      },
    },
    ids: () => sessions.keys(),
    recorded(sessionId, bytes) {
      const session = touch(sessionId);
      session.isDirty = true;
      session.bytes += bytes;
      session.records++;
      if (session.quiet !== undefined) writeWhenQuiet(session);
      if (session.bytes - session.writtenBytes > LEAST_GROWTH_BYTES) writeWhenGrown(session);
      session.checkpoint ??= setTimeout(() => lookAtGrowth(session), checkpointMs).unref();
      makeRoom();
    },
    runEnded(sessionId) {
      const session = sessions.get(sessionId);
      if (session?.isDirty) writeWhenQuiet(session);
    },
    moved(sessionId) {
      const session = sessions.get(sessionId);
      if (session !== undefined) forget({ ...session, isDirty: false });
      writing = writing.then(() => removeFilesOf(sessionId));
    },
    async flush() {
      for (const session of sessions.values()) if (session.isDirty) enqueue(session, "flush");
      await writing;
    },
    flushSync() {
      // The one in work will never be finished.
      leaseInWork?.release();
      for (const session of sessions.values()) {
        if (session.isDirty || session === inWork) writeSync(session);
        // There is no later time.
        if (session.hasFailed) writeSync(session);
      }
    },
    async adopt(sessionId) {
      const session = adopted(sessionId);
      enqueue(session, "recovery");
      await writing;
      return !session.isDirty;
    },
    adoptSync(sessionId) {
      const session = adopted(sessionId);
      writeSync(session);
      return !session.isDirty;
    },
    get isSettled() {
      if (hasForgotten) return false;
      for (const { isDirty } of sessions.values()) if (isDirty) return false;
      return true;
    },
  };
}

function newSession(id: string, isShared: boolean): LiveSession {
  return {
    id,
    bytes: 0,
    records: 0,
    writtenBytes: 0,
    writtenAt: Number.NEGATIVE_INFINITY,
    isDirty: false,
    hasFailed: false,
    isQueued: false,
    isAdopted: false,
    reason: "flush",
    quiet: undefined,
    checkpoint: undefined,
    leftAs: undefined,
    isShared,
  };
}

/** Throws what the file system said where nothing was written. */
function bytesOf(result: WriteResult): number {
  if (!result.written) throw new Error(result.code);
  return result.bytes;
}
