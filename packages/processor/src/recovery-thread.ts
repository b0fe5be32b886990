/**
 * What runs in a thread for the sake of dead processes: it examines the journal of one, says what it holds, and ends; or it
 * recovers all that is in a flow directory, and puts the journals together.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { PriceFile } from "@thoughtflow/dialects/prices";
import { compactJournals, type OrphanedJournal } from "@thoughtflow/journal";
import type { ThreadAnswer } from "./ask-thread.ts";
import { setPriceFile } from "./price-file.ts";
import { recoverFlows } from "./recover-flows.ts";
import { type ExaminedJournal, examineJournal } from "./recovery.ts";

/** Which journal, of which flow directory. Plain data. */
export interface ExamineTask {
  readonly dir: string;
  readonly orphan: OrphanedJournal;
}

/** All of a flow directory. Plain data. */
export interface RecoverTask {
  readonly dir: string;
  /** The prices of the process. */
  readonly prices: PriceFile | undefined;
  /** Longer journals are not put together with others, in bytes. */
  readonly mostBytes: number;
}

/** Answers how many journals there were to take up. */
async function recovered({ dir, prices, mostBytes }: RecoverTask): Promise<number> {
  setPriceFile(prices);
  const { journals } = await recoverFlows(dir, { missing: false });
  const work = compactJournals(dir, { mostBytes });
  while (work.next().done !== true);
  return journals;
}

async function answerTo(
  task: ExamineTask | RecoverTask,
): Promise<ThreadAnswer<ExaminedJournal | number>> {
  try {
    return {
      answer: "orphan" in task ? examineJournal(task.dir, task.orphan) : await recovered(task),
    };
  } catch (error) {
    return { problem: error };
  }
}

parentPort?.postMessage(await answerTo(workerData));
