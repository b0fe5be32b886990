import { createRequire } from "node:module";
import { join } from "node:path";
import {
  type Journal,
  type WriteResult,
  writeDocument,
  writeDocumentSync,
} from "@thoughtflow/journal";
import type * as SessionFiles from "./session-files.ts";
import { createSessionRecords } from "./session-records.ts";

/** One session as the writer of its file knows it. */
interface LiveSession {
  readonly id: string;
  readonly traces: Set<string>;
  /** Journal bytes of its records, now and when the file was last written. */
  bytes: number;
  writtenBytes: number;
  writtenAt: number;
  isDirty: boolean;
  quiet: NodeJS.Timeout | undefined;
}

export interface SessionWriterOptions {
  readonly dir: string;
  readonly journal: Journal;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** Called with what went wrong; the file that was there stays. */
  readonly onFailure: (problem: unknown, what: string) => void;
}

/** Decides when a session's files are written, and writes them. */
export interface SessionWriter {
  /** A record of the session went into the journal. */
  recorded(sessionId: string, traceId: string, bytes: number): void;
  /** A run of the trace ended: its sessions are written in the first quiet second. */
  runEnded(traceId: string): void;
  /** Writes all that changed. */
  flush(): Promise<void>;
  flushSync(): void;
  readonly counters: { readonly documentsWritten: number; readonly documentsFailed: number };
}

/** After a run's end, how long nothing may happen before the file is written. */
const QUIET_MS = 1_000;
/** Least time between two such writes. */
const LEAST_INTERVAL_MS = 30_000;
/** A file is also written when its session's records grew by a quarter, but not for less than this. */
const GROWTH = 1.25;
const LEAST_GROWTH_BYTES = 256 * 1024;
type Make = typeof SessionFiles.sessionFiles;

/**
 * What makes documents is loaded when the first is written and not before: an app's first answer must not wait for
 * it. At the end of a process there is no time for a promise.
 */
function loadSync(): typeof SessionFiles {
  return createRequire(import.meta.url)("#session-files");
}

/** How often a file is written again because another process appended while it was. */
const MOST_ROUNDS = 3;

export function createSessionWriter(options: SessionWriterOptions): SessionWriter {
  const { dir, journal, now, onFailure } = options;
  const records = createSessionRecords(dir, journal);
  const sessions = new Map<string, LiveSession>();
  const byTrace = new Map<string, Set<LiveSession>>();
  const counters = { documentsWritten: 0, documentsFailed: 0 };
  let writing = Promise.resolve();

  function sessionOf(id: string): LiveSession {
    const known = sessions.get(id);
    if (known !== undefined) return known;
    const session: LiveSession = {
      id,
      traces: new Set(),
      bytes: 0,
      writtenBytes: 0,
      writtenAt: Number.NEGATIVE_INFINITY,
      isDirty: false,
      quiet: undefined,
    };
    sessions.set(id, session);
    return session;
  }

  /** The files as they are now, again as long as other processes add to them; counted as written. */
  function* filesOf(session: LiveSession, make: Make): Generator<SessionFiles.SessionFile> {
    session.isDirty = false;
    session.writtenBytes = session.bytes;
    session.writtenAt = now();
    clearTimeout(session.quiet);
    session.quiet = undefined;
    const { id, traces } = session;
    let others = -1;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const count = records.countOfOthers(id, traces);
      if (count === others) return;
      others = count;
      yield* make(records.read(id, traces), id);
    }
  }

  function note(result: WriteResult, session: LiveSession): boolean {
    if (result.written) return true;
    session.isDirty = true;
    onFailure(result.code, `the files of session ${JSON.stringify(session.id)}`);
    return false;
  }

  function writeSync(session: LiveSession): void {
    const { sessionFiles } = loadSync();
    for (const { folder, name, chunks } of filesOf(session, sessionFiles)) {
      if (!note(writeDocumentSync(join(dir, folder), name, chunks), session)) return;
    }
  }

  async function write(session: LiveSession): Promise<void> {
    const { sessionFiles } = await import("./session-files.ts");
    for (const { folder, name, chunks } of filesOf(session, sessionFiles)) {
      if (!note(await writeDocument(join(dir, folder), name, chunks), session)) return;
    }
  }

  /** One session after the other: never two writers of one file. */
  function enqueue(session: LiveSession): void {
    writing = writing
      .then(() => (session.isDirty ? write(session) : undefined))
      .then(
        () => written(),
        (error) => failed(error, session),
      );
  }

  function written(): void {
    counters.documentsWritten++;
  }

  function failed(error: unknown, { id }: LiveSession): void {
    counters.documentsFailed++;
    onFailure(error, `the files of session ${JSON.stringify(id)}`);
  }

  function writeWhenQuiet(session: LiveSession): void {
    clearTimeout(session.quiet);
    const wait = Math.max(QUIET_MS, session.writtenAt + LEAST_INTERVAL_MS - now());
    session.quiet = setTimeout(() => enqueue(session), wait);
    session.quiet.unref();
  }

  return {
    counters,
    recorded(sessionId, traceId, bytes) {
      const session = sessionOf(sessionId);
      session.traces.add(traceId);
      session.isDirty = true;
      session.bytes += bytes;
      const around = byTrace.get(traceId);
      if (around === undefined) byTrace.set(traceId, new Set([session]));
      else around.add(session);
      if (session.quiet !== undefined) writeWhenQuiet(session);
      const grown = session.bytes - session.writtenBytes;
      if (grown > LEAST_GROWTH_BYTES && session.bytes > session.writtenBytes * GROWTH)
        enqueue(session);
    },
    runEnded(traceId) {
      for (const session of byTrace.get(traceId) ?? [])
        if (session.isDirty) writeWhenQuiet(session);
    },
    async flush() {
      for (const session of sessions.values()) if (session.isDirty) enqueue(session);
      await writing;
    },
    flushSync() {
      for (const session of sessions.values()) {
        if (!session.isDirty) continue;
        try {
          writeSync(session);
          written();
        } catch (error) {
          failed(error, session);
        }
      }
    },
  };
}
