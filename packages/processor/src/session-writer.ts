import { assemble, splitLargeTexts } from "@thoughtflow/assemble";
import { fileNameOf, type Journal, writeDocument, writeDocumentSync } from "@thoughtflow/journal";
import { d2, svg } from "@thoughtflow/render";
import type { Session } from "@thoughtflow/schema";
import { canonicalChunks } from "@thoughtflow/schema/canonical";

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
  readonly onError: (error: unknown, what: string) => void;
}

/** Decides when a session's files are written, and writes them: `<session>.json`, `.d2` and `.svg`. */
export interface SessionWriter {
  /** A record of the session went into the journal. */
  recorded(sessionId: string, traceId: string, bytes: number): void;
  /** A run of the trace ended: its sessions are written in the first quiet second. */
  runEnded(traceId: string): void;
  /** Writes all that changed. */
  flush(): Promise<void>;
  flushSync(): void;
  readonly documentsWritten: number;
}

/** After a run's end, how long nothing may happen before the file is written. */
const QUIET_MS = 1_000;
/** Least time between two such writes. */
const LEAST_INTERVAL_MS = 30_000;
/** A file is also written when its session's records grew by a quarter, but not for less than this. */
const GROWTH = 1.25;
const LEAST_GROWTH_BYTES = 256 * 1024;

export function createSessionWriter({
  dir,
  journal,
  now,
  onError,
}: SessionWriterOptions): SessionWriter {
  const sessions = new Map<string, LiveSession>();
  const byTrace = new Map<string, Set<LiveSession>>();
  let writing = Promise.resolve();
  let documentsWritten = 0;

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

  function assembled(session: LiveSession): Session | undefined {
    session.isDirty = false;
    session.writtenBytes = session.bytes;
    session.writtenAt = now();
    clearTimeout(session.quiet);
    session.quiet = undefined;
    const records = journal.recordsOfTraces(session.traces);
    return assemble(records).find((one) => one.session_id === session.id);
  }

  /** The files of a session, lazily: name and text in pieces. */
  function* filesOf(session: LiveSession): Generator<[name: string, chunks: Iterable<string>]> {
    const flow = assembled(session);
    if (flow === undefined) return;
    const name = fileNameOf(session.id);
    const { session: document, blobs } = splitLargeTexts(flow);
    for (const [sha256, text] of blobs) yield [`blobs/${sha256}`, [text]];
    yield [`${name}.json`, canonicalChunks(document)];
    yield [`${name}.d2`, [d2.render(flow)]];
    yield [`${name}.svg`, [svg.render(flow)]];
  }

  function writeSync(session: LiveSession): void {
    try {
      for (const [name, chunks] of filesOf(session)) writeDocumentSync(dir, name, chunks);
      documentsWritten++;
    } catch (error) {
      onError(error, `the files of session ${JSON.stringify(session.id)}`);
    }
  }

  async function write(session: LiveSession): Promise<void> {
    try {
      for (const [name, chunks] of filesOf(session)) await writeDocument(dir, name, chunks);
      documentsWritten++;
    } catch (error) {
      onError(error, `the files of session ${JSON.stringify(session.id)}`);
    }
  }

  /** One session after the other: never two writers of one file. */
  function enqueue(session: LiveSession): Promise<void> {
    writing = writing.then(() => (session.isDirty ? write(session) : undefined));
    return writing;
  }

  function writeWhenQuiet(session: LiveSession): void {
    clearTimeout(session.quiet);
    const wait = Math.max(QUIET_MS, session.writtenAt + LEAST_INTERVAL_MS - now());
    session.quiet = setTimeout(() => void enqueue(session), wait);
    session.quiet.unref();
  }

  return {
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
        void enqueue(session);
    },
    runEnded(traceId) {
      for (const session of byTrace.get(traceId) ?? [])
        if (session.isDirty) writeWhenQuiet(session);
    },
    async flush() {
      for (const session of sessions.values()) if (session.isDirty) void enqueue(session);
      await writing;
    },
    flushSync() {
      for (const session of sessions.values()) if (session.isDirty) writeSync(session);
    },
    get documentsWritten() {
      return documentsWritten;
    },
  };
}
