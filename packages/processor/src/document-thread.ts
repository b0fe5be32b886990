/** What runs in the thread that `prepareBeside` starts: it makes the files of one session, says where, and ends. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { mayHoldLargeTexts, NotSeparableError } from "@thoughtflow/assemble";
import {
  createFlowDirectory,
  createJournalReader,
  createPartWriter,
  errorCodeOf,
  type FileSystem,
  type JournalReader,
  prepareDocumentSync,
  realFileSystem,
} from "@thoughtflow/journal";
import type { FlowRecord } from "@thoughtflow/schema";
import type { WritePart } from "@thoughtflow/schema/document-parts";
import type { Reply, ThreadAnswer } from "./ask-thread.ts";
import { filesInStretches } from "./files-in-stretches.ts";
import type { PreparedFile, PreparedFiles, ThreadTask } from "./prepare-beside.ts";
import { setPriceFile } from "./price-file.ts";
import { type SessionFile, sessionFiles } from "./session-files.ts";
import {
  checkReadable,
  createSessionRecords,
  MOST_ROUNDS,
  type OwnRecords,
} from "./session-records.ts";
import { sessionStretches } from "./session-stretches.ts";

/** A narrow thread reads no more at once: what is longer may become a text that its memory has no room for. */
const LONGEST_NARROW_READ = 1024 * 1024;

class TooNarrowError extends Error {
  override readonly name = "TooNarrowError";
}

/** In one piece, again as long as other processes add to the session. */
function prepared(task: ThreadTask, fs: FileSystem): PreparedFile[] {
  const { dir, writer, sessionId, isShared, isNarrow } = task;
  let files: PreparedFile[] = [];
  for (const { records } of createSessionRecords(dir, readAnew(dir, writer, fs), fs).read(
    sessionId,
    isShared,
  )) {
    checkReadable(sessionId, records.length, task.records);
    if (isNarrow && mayHoldLargeTexts(records)) throw new TooNarrowError();
    files = preparedOnce(task, files, (writePart) =>
      sessionFiles(records, sessionId, { ...task, writePart }),
    );
  }
  return files;
}

/** The same stretch by stretch. */
function preparedInStretches(task: ThreadTask, fs: FileSystem): PreparedFiles {
  const { dir, writer, sessionId, isNarrow, partBytes, known, stretch, mark } = task;
  let files: PreparedFile[] = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const found = sessionStretches(sessionId, { dir, writer, fs, outline: { long: 0, stretch } });
    if (found === undefined || found.stretches.length === 1) return "in one piece";
    const recordsOfPieces = (traceIds: ReadonlySet<string>): readonly FlowRecord[] => {
      const records = found.recordsOfTraces(traceIds);
      if (isNarrow && mayHoldLargeTexts(records)) throw new TooNarrowError();
      return records;
    };
    const directory = createFlowDirectory(dir, realFileSystem);
    files = preparedOnce(task, files, (writePart) =>
      filesInStretches(
        { ...found, directory, sessionId, recordsOfPieces, writePart, partBytes },
        { mark },
      ),
    );
    if (files.at(-1)?.revision === known) return discarded(files);
    if (!found.hasGrown()) break;
  }
  return files;
}

/** The files, each under a name of its own, in place of those that were made before. */
function preparedOnce(
  { dir, sessionId, mark }: ThreadTask,
  before: readonly PreparedFile[],
  make: (writePart: WritePart) => Iterable<SessionFile>,
): PreparedFile[] {
  discarded(before);
  const directory = createFlowDirectory(dir, realFileSystem);
  const { write: writePart, paths: parts } = createPartWriter(directory, sessionId, { mark });
  const files: PreparedFile[] = [];
  for (const { chunks, ...said } of make(writePart)) {
    const { folder, name, isPicture } = said;
    try {
      const file = prepareDocumentSync(join(dir, folder), name, chunks, { mark });
      files.push({ ...said, ...file, parts });
    } catch (error) {
      if (!isPicture || error instanceof TooNarrowError) throw error;
      const nowhere = { temporary: "", path: "", bytes: 0 };
      files.push({ ...said, ...nowhere, parts, problem: errorCodeOf(error) });
    }
  }
  return files;
}

function discarded(files: readonly PreparedFile[]): [] {
  for (const { temporary } of files) if (temporary !== "") rmSync(temporary, { force: true });
  return [];
}

/** Mostly it is asked once: where the records of a long journal stand need not be in memory beside them. */
function readAnew(dir: string, writer: string, fs: FileSystem): OwnRecords {
  const reader = (): JournalReader => {
    const made = createJournalReader(dir, { filter: (one) => one === writer, textsStay: true, fs });
    made.refreshSync();
    return made;
  };
  return {
    writer,
    // A thread writes none itself.
    counters: { written: 0 },
    recordsOfSession: (sessionId) => reader().recordsOfSession(sessionId),
    recordsOfTraces: (traceIds) => reader().recordsOfTraces(traceIds),
  };
}

function narrowFileSystem(): FileSystem {
  const readSync = (
    fd: number,
    bytes: NodeJS.ArrayBufferView,
    offset: number,
    length: number,
    position: number | null,
  ): number => {
    if (length > LONGEST_NARROW_READ) throw new TooNarrowError();
    return realFileSystem.readSync(fd, bytes, offset, length, position);
  };
  return { ...realFileSystem, readSync: readSync as FileSystem["readSync"] };
}

function answerTo(task: ThreadTask): ThreadAnswer<PreparedFiles> {
  const fs = task.isNarrow ? narrowFileSystem() : realFileSystem;
  try {
    setPriceFile(task.prices);
    return {
      answer: task.stretch === undefined ? prepared(task, fs) : preparedInStretches(task, fs),
    };
  } catch (error) {
    if (error instanceof TooNarrowError) return { answer: "too narrow" };
    return error instanceof NotSeparableError ? { answer: "in one piece" } : { problem: error };
  }
}

function answered(said: ThreadAnswer<PreparedFiles>, reply: Reply | undefined): void {
  if (reply === undefined) {
    parentPort?.postMessage(said);
    return;
  }
  reply.port.postMessage(said);
  Atomics.store(reply.isThere, 0, 1);
  Atomics.notify(reply.isThere, 0);
}

answered(answerTo(workerData), workerData.reply);
