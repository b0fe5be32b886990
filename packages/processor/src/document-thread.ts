/** What runs in the thread that `prepareBeside` starts: it makes the files of one session, says where, and ends. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { createJournalReader, type JournalReader, prepareDocumentSync } from "@thoughtflow/journal";
import type { DocumentTask, PreparedFile, ThreadAnswer } from "./prepare-beside.ts";
import { setPriceFile } from "./price-file.ts";
import { sessionFiles } from "./session-files.ts";
import { createSessionRecords, type OwnRecords } from "./session-records.ts";

function prepared({ dir, writer, sessionId, isShared, known }: DocumentTask): PreparedFile[] {
  let files: PreparedFile[] = [];
  for (const records of createSessionRecords(dir, readAnew(dir, writer)).read(
    sessionId,
    isShared,
  )) {
    for (const { temporary } of files) rmSync(temporary, { force: true });
    files = [];
    for (const { folder, name, chunks } of sessionFiles(records, sessionId, known))
      files.push({ folder, ...prepareDocumentSync(join(dir, folder), name, chunks) });
  }
  return files;
}

/** Mostly it is asked once: where the records of a long journal stand need not be in memory beside them. */
function readAnew(dir: string, writer: string): OwnRecords {
  const reader = (): JournalReader => {
    const made = createJournalReader(dir, { filter: (one) => one === writer, textsStay: true });
    made.refreshSync();
    return made;
  };
  return {
    writer,
    recordsOfSession: (sessionId) => reader().recordsOfSession(sessionId),
    recordsOfTraces: (traceIds) => reader().recordsOfTraces(traceIds),
  };
}

function answer(task: DocumentTask): ThreadAnswer {
  try {
    setPriceFile(task.prices);
    return { files: prepared(task) };
  } catch (error) {
    return { problem: error };
  }
}

parentPort?.postMessage(answer(workerData));
