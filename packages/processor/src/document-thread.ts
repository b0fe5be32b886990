/** What runs in the thread that `prepareBeside` starts: it makes the files of one session, says where, and ends. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { mayHoldLargeTexts } from "@thoughtflow/assemble";
import {
  createFlowDirectory,
  createJournalReader,
  createPartWriter,
  type FileSystem,
  type JournalReader,
  prepareDocumentSync,
  realFileSystem,
} from "@thoughtflow/journal";
import type { Reply, ThreadAnswer } from "./ask-thread.ts";
import type { PreparedFile, PreparedFiles, ThreadTask } from "./prepare-beside.ts";
import { setPriceFile } from "./price-file.ts";
import { sessionFiles } from "./session-files.ts";
import { checkReadable, createSessionRecords, type OwnRecords } from "./session-records.ts";

/** A narrow thread reads no more at once: what is longer may become a text that its memory has no room for. */
const LONGEST_NARROW_READ = 1024 * 1024;

class TooNarrowError extends Error {
  override readonly name = "TooNarrowError";
}

function prepared(task: ThreadTask): PreparedFile[] {
  const { dir, writer, sessionId, isShared, isNarrow } = task;
  const fs = isNarrow ? narrowFileSystem() : realFileSystem;
  const directory = createFlowDirectory(dir, realFileSystem);
  let files: PreparedFile[] = [];
  for (const { records } of createSessionRecords(dir, readAnew(dir, writer, fs), fs).read(
    sessionId,
    isShared,
  )) {
    checkReadable(sessionId, records.length, task.records);
    if (isNarrow && mayHoldLargeTexts(records)) throw new TooNarrowError();
    for (const { temporary } of files) rmSync(temporary, { force: true });
    files = [];
    const { write: writePart, paths: parts } = createPartWriter(directory, sessionId, {});
    const options = { ...task, writePart };
    for (const { folder, name, chunks, ...said } of sessionFiles(records, sessionId, options)) {
      const file = prepareDocumentSync(join(dir, folder), name, chunks);
      files.push({ folder, ...said, ...file, parts });
    }
  }
  return files;
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
  try {
    setPriceFile(task.prices);
    return { answer: prepared(task) };
  } catch (error) {
    return error instanceof TooNarrowError ? { answer: undefined } : { problem: error };
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
