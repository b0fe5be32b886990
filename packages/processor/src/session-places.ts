import { join } from "node:path";
// Not the globals, which a test of the application may have replaced.
import { clearTimeout } from "node:timers";
import {
  createPartWriter,
  discardDocument,
  type FileSystem,
  fileNameOf,
  type Journal,
  type Lease,
  type PartWriter,
  placeDocument,
  removeOtherParts,
  type WriteDocumentOptions,
  writeDocument,
  writeDocumentSync,
} from "@thoughtflow/journal";
import { revisionInDocument, sizeOfDocument, stateOfDocument } from "./document-state.ts";
import type { LiveSession, WriteReason } from "./live-session.ts";
import { loadSessionFiles } from "./load-session-files.ts";
import { createPlacedFiles } from "./placed-files.ts";
import type { PreparedFile } from "./prepare-beside.ts";
import { keepRicherDocument } from "./richer-document.ts";
import type { SessionFile } from "./session-files.ts";
import type { SessionRecords } from "./session-records.ts";

export interface SessionPlacesConfig {
  readonly dir: string;
  readonly journal: Journal;
  readonly records: SessionRecords;
  readonly fs: FileSystem;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

/** Where the files of sessions stand in a flow directory: how they get there, wherever they were made, and what is there. */
export interface SessionPlaces {
  readonly counters: {
    /** They said more than the journals, and are in `.quarantine`. */
    readonly documentsOfLostJournals: number;
    /** Bytes of all files, by why they were written. Those for growth total at most six times the last ones. */
    readonly bytesWritten: Readonly<Record<WriteReason, number>>;
  };
  /** Takes note that the files are made now; answers what their making has to know. */
  begin(session: LiveSession): KnownOfDocument;
  hasDocument(session: LiveSession): boolean;
  /** Bytes of the document that is there. */
  sizeOf(session: LiveSession): number;
  /** Nothing of all this takes the place of a file that somebody else has the right to write by now. */
  partWriter(session: LiveSession, lease: Lease | undefined): PartWriter;
  write(session: LiveSession, file: SessionFile, lease: Lease | undefined): Promise<void>;
  /**
   * The same at once: where nobody waits for the event loop, what goes to other threads and back costs more than the writing.
   *
   * @param reason what the bytes are counted under
   */
  writeSync(
    session: LiveSession,
    file: SessionFile,
    lease: Lease | undefined,
    reason: WriteReason,
  ): void;
  /** Puts what a thread has made in its place, and ends. */
  placeAll(
    session: LiveSession,
    files: readonly PreparedFile[],
    lease: Lease | undefined,
    reason: WriteReason,
  ): void;
  /**
   * The files are in their places, and the document names these parts; `undefined` where there were none to place. Throws a
   * `PictureError` where a picture is not.
   */
  end(session: LiveSession, parts: readonly string[] | undefined, reason: WriteReason): void;
  /** Takes the files of a session away; called with what can't be. */
  remove(sessionId: string, onFailure: (problem: unknown) => void): void;
}

export interface KnownOfDocument {
  /** Somebody else has written the session's file. */
  readonly isShared: boolean;
  /** The revision that the file has already, if that is known. */
  readonly known: number | undefined;
}

export function createSessionPlaces(config: SessionPlacesConfig): SessionPlaces {
  const { dir, journal, records, fs, now } = config;
  const { directory } = journal;
  const bytesWritten: Record<WriteReason, number> = { growth: 0, quiet: 0, flush: 0, recovery: 0 };
  const counters = { documentsOfLostJournals: 0, bytesWritten };
  /** Of the session whose files are made. */
  let placed = createPlacedFiles(dir, fs);

  function documentOf({ id }: LiveSession): string {
    return join(dir, `${fileNameOf(id)}.json`);
  }

  function optionsFor(lease: Lease | undefined): WriteDocumentOptions {
    return { fs, ...(lease !== undefined && { mayReplace: lease.renew }) };
  }

  /** The folder of a file that comes now. */
  function makeRoom(session: LiveSession, file: Pick<PreparedFile, "folder" | "revision">): string {
    const folder = directory.make(file.folder);
    keepRicher(session, file.revision);
    return folder;
  }

  function hasPictures({ id }: LiveSession): boolean {
    const name = join(dir, fileNameOf(id));
    return [".d2", ".svg"].every((ending) => stateOfDocument(`${name}${ending}`, fs) !== undefined);
  }

  function keepRicher(session: LiveSession, revision: number | undefined): void {
    if (revision === undefined) return;
    const journalRevision = (): number => {
      const all = [...records.read(session.id, true)].at(-1)?.records ?? [];
      return loadSessionFiles().revisionOf(all, session.id);
    };
    const path = documentOf(session);
    if (keepRicherDocument({ directory, path, revision, journalRevision, fs }))
      counters.documentsOfLostJournals++;
  }

  function end(
    session: LiveSession,
    parts: readonly string[] | undefined,
    reason: WriteReason,
  ): void {
    if (parts !== undefined) removeOtherParts(dir, session.id, parts, fs);
    for (const path of parts ?? []) bytesWritten[reason] += sizeOfDocument(join(dir, path), fs);
    session.leftAs = stateOfDocument(documentOf(session), fs);
    placed.end();
  }

  return {
    counters,
    begin(session) {
      session.isDirty = false;
      session.hasFailed = false;
      session.lacksPicture = false;
      placed = createPlacedFiles(dir, fs);
      session.writtenBytes = session.bytes;
      session.writtenAt = now();
      clearTimeout(session.quiet);
      session.quiet = undefined;
      const document = documentOf(session);
      session.isShared ||= session.isAdopted || stateOfDocument(document, fs) !== session.leftAs;
      const isKnown = session.isAdopted && hasPictures(session);
      const known = isKnown ? revisionInDocument(document, fs) : undefined;
      session.isAdopted = false;
      return { isShared: session.isShared, known };
    },
    hasDocument: (session) => stateOfDocument(documentOf(session), fs) !== undefined,
    sizeOf: (session) => sizeOfDocument(documentOf(session), fs),
    partWriter: ({ id }, lease) => createPartWriter(directory, id, optionsFor(lease)),
    async write(session, file, lease) {
      const folder = makeRoom(session, file);
      const result = await writeDocument(folder, file.name, file.chunks, optionsFor(lease));
      bytesWritten[session.reason] += placed.bytesOf(file, result);
    },
    writeSync(session, file, lease, reason) {
      const folder = makeRoom(session, file);
      const result = writeDocumentSync(folder, file.name, file.chunks, optionsFor(lease));
      bytesWritten[reason] += placed.bytesOf(file, result);
    },
    placeAll(session, files, lease, reason) {
      try {
        for (const file of files) {
          makeRoom(session, file);
          const result =
            file.problem === undefined
              ? placeDocument(file, optionsFor(lease))
              : { written: false as const, code: file.problem };
          bytesWritten[reason] += placed.bytesOf(file, result);
        }
      } catch (error) {
        for (const file of files) discardDocument(file, fs);
        throw error;
      }
      end(session, files.at(-1)?.parts, reason);
    },
    end,
    remove(sessionId, onFailure) {
      removeOtherParts(dir, sessionId, [], fs);
      const name = fileNameOf(sessionId);
      for (const ending of [".json", ".d2", ".svg", ".scores.jsonl"]) {
        try {
          fs.unlinkSync(join(dir, `${name}${ending}`));
        } catch (error) {
          const isGone = error instanceof Error && "code" in error && error.code === "ENOENT";
          if (!isGone) onFailure(error);
        }
      }
    },
  };
}
