/** What runs in the thread that examines the journal of a dead process: it reads it, says what it holds, and ends. */
import { parentPort, workerData } from "node:worker_threads";
import type { OrphanedJournal } from "@thoughtflow/journal";
import type { ThreadAnswer } from "./ask-thread.ts";
import { type ExaminedJournal, examineJournal } from "./recovery.ts";

/** Which journal, of which flow directory. Plain data. */
export interface RecoveryTask {
  readonly dir: string;
  readonly orphan: OrphanedJournal;
}

function answerTo({ dir, orphan }: RecoveryTask): ThreadAnswer<ExaminedJournal> {
  try {
    return { answer: examineJournal(dir, orphan) };
  } catch (error) {
    return { problem: error };
  }
}

parentPort?.postMessage(answerTo(workerData));
