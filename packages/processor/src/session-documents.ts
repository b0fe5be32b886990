import { join } from "node:path";
// Not the globals, which a test of the application may have replaced.
import { clearTimeout } from "node:timers";
import {
  createPartWriter,
  type FileSystem,
  fileNameOf,
  isCrowded,
  type Journal,
  type Lease,
  placeDocument,
  realFileSystem,
  removeOtherParts,
  type WriteDocumentOptions,
  type WriteResult,
  writeDocument,
  writeDocumentSync,
} from "@thoughtflow/journal";
import { NoThreadError } from "./ask-thread.ts";
import { revisionInDocument, sizeOfDocument, stateOfDocument } from "./document-state.ts";
import type { LiveSession, WriteReason } from "./live-session.ts";
import { loadSessionFiles } from "./load-session-files.ts";
import {
  type DocumentTask,
  type PreparedFile,
  prepareBeside,
  prepareBesideSync,
} from "./prepare-beside.ts";
import { currentPriceFile } from "./price-file.ts";
import { keepRicherDocument } from "./richer-document.ts";
import type * as SessionFiles from "./session-files.ts";
import { leaseOfSession, leaseOfSessionSync } from "./session-lease.ts";
import { checkReadable, createSessionRecords } from "./session-records.ts";

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

/** Makes the files of sessions, under the lease of each, and puts them in their places. Nothing here throws. */
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

/** What was written; a document counts once, however many files it has. */
export interface DocumentCounters {
  readonly documentsWritten: number;
  readonly documentsFailed: number;
  /** They said more than the journals, and are in `.quarantine`. */
  readonly documentsOfLostJournals: number;
  /** Bytes of all files, by why they were written. Those for growth total at most six times the last ones. */
  readonly bytesWritten: Readonly<Record<WriteReason, number>>;
}

/** Bytes of a session, in this process's journal, in those of dead ones, or in the file that is there: more hold the app up for some 30 ms. */
const LARGE_BYTES = 256 * 1024;
/** So many times a session's own bytes are read at most for a thread to find them. */
const MOST_READ = 64;
/** Of a document or a journal, at least: what other processes have recorded of it is not counted here. */
const BYTES_OF_A_SPAN = 1024;
/** Milliseconds that a process that ends waits for a thread, which mostly needs some 200: others may have the processor. */
const THREAD_AT_EXIT_MS = 5_000;

export function createSessionDocuments(config: SessionDocumentsConfig): SessionDocuments {
  const { dir, journal, fs, now, onFailure, isAlone = false, partBytes } = config;
  const records = createSessionRecords(dir, journal, fs, now);
  const bytesWritten: Record<WriteReason, number> = { growth: 0, quiet: 0, flush: 0, recovery: 0 };
  const counters = {
    documentsWritten: 0,
    documentsFailed: 0,
    documentsOfLostJournals: 0,
    bytesWritten,
  };
  let inWork: LiveSession | undefined;
  let leaseInWork: Lease | undefined;
  /** A file system of the caller's own can't go to a thread. */
  let hasThreads = fs === realFileSystem;

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

  /**
   * The files as they are now, again as long as other processes add to them. At an end without time for all journals a
   * document that is there stays as it is, and the session is left to the next process.
   */
  function* filesOf(
    session: LiveSession,
    make: typeof SessionFiles.sessionFiles,
    lease: Lease | undefined,
    isEnding = false,
  ): Generator<SessionFiles.SessionFile> {
    const { isShared, known } = begin(session);
    const document = documentOf(session);
    let named: readonly string[] | undefined;
    for (const found of records.read(session.id, isShared, isEnding)) {
      checkReadable(session.id, found.records.length, session.records);
      session.isDirty ||= found.isOwnOnly;
      if (found.isOwnOnly && stateOfDocument(document, fs) !== undefined) break;
      const { write: writePart, paths } = createPartWriter(
        journal.directory,
        session.id,
        optionsFor(lease),
      );
      for (const file of make(found.records, session.id, { known, writePart, partBytes })) {
        yield file;
        named = paths;
      }
    }
    arePlaced(session, named, isEnding ? "flush" : session.reason);
  }

  /** The files are in their places, and the document names these parts; `undefined` where there were none to place. */
  function arePlaced(
    session: LiveSession,
    named: readonly string[] | undefined,
    reason: WriteReason,
  ): void {
    if (named !== undefined) removeOtherParts(dir, session.id, named, fs);
    for (const path of named ?? []) bytesWritten[reason] += sizeOfDocument(join(dir, path), fs);
    session.leftAs = stateOfDocument(documentOf(session), fs);
  }

  function keepRicher(session: LiveSession, revision: number | undefined): void {
    if (revision === undefined) return;
    const journalRevision = (): number => {
      const all = [...records.read(session.id, true)].at(-1)?.records ?? [];
      return loadSessionFiles().revisionOf(all, session.id);
    };
    const path = documentOf(session);
    const { directory } = journal;
    if (keepRicherDocument({ directory, path, revision, journalRevision, fs }))
      counters.documentsOfLostJournals++;
  }

  /** Nothing takes the place of a file that somebody else has the right to write by now. */
  function optionsFor(lease: Lease | undefined): WriteDocumentOptions {
    return { fs, ...(lease !== undefined && { mayReplace: lease.renew }) };
  }

  function writeSync(session: LiveSession): void {
    let lease: Lease | undefined;
    try {
      lease = leaseOfSessionSync(journal, session.id);
      writeHereSync(session, lease);
      counters.documentsWritten++;
    } catch (error) {
      if (!isWrittenBesideSync(session, lease, error)) failed(error, session);
    }
    lease?.release();
  }

  function writeHereSync(session: LiveSession, lease: Lease | undefined): void {
    const { sessionFiles } = loadSessionFiles();
    const files = filesOf(session, sessionFiles, lease, true);
    for (const { folder, name, chunks, revision } of files) {
      const place = journal.directory.make(folder);
      keepRicher(session, revision);
      bytesWritten.flush += bytesOf(writeDocumentSync(place, name, chunks, optionsFor(lease)));
    }
  }

  /**
   * What an app has made of the language holds in its own thread alone: where that is why a document failed here, another
   * thread makes it.
   */
  function isWrittenBesideSync(
    session: LiveSession,
    lease: Lease | undefined,
    error: unknown,
  ): boolean {
    const { appended, dropped, written } = journal.counters;
    if (!hasThreads || !mayWorkBeside(error) || written < appended - dropped) return false;
    try {
      const task = taskFor(session, 0);
      placeAll(session, prepareBesideSync(task, THREAD_AT_EXIT_MS), lease, "flush");
      counters.documentsWritten++;
      return true;
    } catch (failure) {
      // What went wrong here is told. Another try would take as long.
      if (failure instanceof NoThreadError) hasThreads = false;
      return false;
    }
  }

  async function write(session: LiveSession): Promise<void> {
    inWork = session;
    try {
      leaseInWork = await leaseOfSession(journal, session.id);
      if (!(await writeBeside(session))) await writeHereOrBeside(session);
      counters.documentsWritten++;
    } catch (error) {
      failed(error, session);
    }
    leaseInWork?.release();
    leaseInWork = undefined;
    inWork = undefined;
  }

  /** As at an end. */
  async function writeHereOrBeside(session: LiveSession): Promise<void> {
    try {
      await writeHere(session);
    } catch (error) {
      if (!(mayWorkBeside(error) && (await writeBeside(session, true)))) throw error;
    }
  }

  async function writeHere(session: LiveSession): Promise<void> {
    const { sessionFiles } = await import("./session-files.ts");
    for (const { folder, name, chunks, revision } of filesOf(session, sessionFiles, leaseInWork)) {
      const place = journal.directory.make(folder);
      keepRicher(session, revision);
      const result = await writeDocument(place, name, chunks, optionsFor(leaseInWork));
      bytesWritten[session.reason] += bytesOf(result);
    }
  }

  /** @param elsewhere bytes of the session that are not of this process */
  function taskFor(session: LiveSession, elsewhere: number): DocumentTask {
    const { id: sessionId, records } = session;
    const { writer } = journal;
    const spans = Math.max(records, elsewhere / BYTES_OF_A_SPAN);
    const bytes = Math.max(session.bytes, elsewhere);
    const prices = currentPriceFile();
    const about = { sessionId, records, spans, bytes, partBytes, prices };
    return { dir, writer, ...about, ...begin(session) };
  }

  function placeAll(
    session: LiveSession,
    files: readonly PreparedFile[],
    lease: Lease | undefined,
    reason: WriteReason,
  ): void {
    for (const file of files) {
      journal.directory.make(file.folder);
      keepRicher(session, file.revision);
      bytesWritten[reason] += bytesOf(placeDocument(file, optionsFor(lease)));
    }
    arePlaced(session, files.at(-1)?.parts, reason);
  }

  /**
   * Has the files of a large session made in another thread; false where that is not worth it, or not possible. `must`:
   * it is worth it.
   */
  async function writeBeside(session: LiveSession, must = false): Promise<boolean> {
    const elsewhere = Math.max(sizeOfDocument(documentOf(session), fs), session.adoptedBytes);
    // Of thousands of others' journals a reader takes seconds to find out what they know of it.
    const isInCrowd = !isAlone && isCrowded(dir, fs);
    const isLarge = Math.max(session.bytes, elsewhere) >= LARGE_BYTES;
    if (!hasThreads || !(must || isLarge || isInCrowd)) return false;
    const { counters: recorded } = journal;
    const appended = recorded.appended - recorded.dropped;
    await journal.flush();
    // It may have grown much meanwhile.
    const size = Math.max(session.bytes, elsewhere);
    // The thread reads the journal: what is not there it can't know, and a long one takes it long.
    if (recorded.written < appended) return false;
    if (!must && !isInCrowd && recorded.bytes > MOST_READ * size) return false;
    let files: readonly PreparedFile[];
    try {
      const task = taskFor(session, elsewhere);
      files = await prepareBeside(task, session, session.reason === "flush");
    } catch (error) {
      if (!(error instanceof NoThreadError)) throw error;
      hasThreads = false;
      return false;
    }
    placeAll(session, files, leaseInWork, session.reason);
    return true;
  }

  function failed(error: unknown, session: LiveSession): void {
    counters.documentsFailed++;
    session.isDirty = true;
    session.hasFailed = true;
    onFailure(error, `the files of session ${JSON.stringify(session.id)}`);
  }

  return {
    counters,
    get inWork() {
      return inWork;
    },
    write,
    writeSync,
    remove(sessionId) {
      removeOtherParts(dir, sessionId, [], fs);
      const name = fileNameOf(sessionId);
      for (const ending of [".json", ".d2", ".svg", ".scores.jsonl"]) {
        try {
          fs.unlinkSync(join(dir, `${name}${ending}`));
        } catch (error) {
          const isGone = error instanceof Error && "code" in error && error.code === "ENOENT";
          if (!isGone) onFailure(error, `the removal of session ${JSON.stringify(sessionId)}`);
        }
      }
    },
    abandon: () => leaseInWork?.release(),
  };
}

/** What the file system says it says to every thread. */
function mayWorkBeside(error: unknown): boolean {
  return !(
    error instanceof Error && /^E[A-Z\d]+$/.test("code" in error ? `${error.code}` : error.message)
  );
}

/** Throws what the file system said where nothing was written. */
function bytesOf(result: WriteResult): number {
  if (!result.written) throw new Error(result.code);
  return result.bytes;
}
