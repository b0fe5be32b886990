import type { ResourceLimits } from "node:worker_threads";
import type { PriceFile } from "@thoughtflow/dialects/prices";
import type { PreparedDocument } from "@thoughtflow/journal";
import { askThread, askThreadSync, isOutOfMemory } from "./ask-thread.ts";

/** The files of which session are made, of what. */
export interface DocumentTask {
  /** The flow directory. */
  readonly dir: string;
  /** Of this process's journal. */
  readonly writer: string;
  readonly sessionId: string;
  /** Somebody else has written the session's file. */
  readonly isShared: boolean;
  /** The revision that the file has already, if that is known. */
  readonly known: number | undefined;
  /** See `SessionFilesOptions`. */
  readonly partBytes?: number | undefined;
  /** How many records this process has of the session. */
  readonly records: number;
  /** About how many spans the session has. */
  readonly spans: number;
  /** The prices of the process. */
  readonly prices: PriceFile | undefined;
}

/** The same for a thread whose memory may be limited: it gives up where it meets what may be too long for that. */
export interface ThreadTask extends DocumentTask {
  readonly isNarrow: boolean;
}

/** A file of a session that waits to be put in its place. */
export interface PreparedFile extends PreparedDocument {
  /** Below the flow directory; empty or `blobs`. */
  readonly folder: string;
  /** Of the document, which alone has one. */
  readonly revision?: number;
  /** Those that the session's document names, which are in their places, as paths below the flow directory. */
  readonly parts: readonly string[];
}

/** What the thread answers: without files, the session has texts that are too long for a narrow thread. */
export type PreparedFiles = readonly PreparedFile[] | undefined;

/**
 * The thread makes much garbage in a short time. With limits near what it needs it clears that away early; where they
 * turn out too narrow it starts again with wider ones. Texts stay in the journal, so the number of spans tells what it
 * needs: a tool call takes some 1.8 KiB, a call of a model with its steps five times as much. A text of many MiB must not be
 * looked at within limits: the engine ends the process when there is no room for it.
 */
const YOUNG_MIB = 8;
const OLD_MIB = 32;
const LEAST_PER_SPAN = 2 * 1024;
const MOST_PER_SPAN = 32 * 1024;
const WIDER = 4;

/** What a span of this process takes, as far as is known. */
let perSpan = LEAST_PER_SPAN;

/**
 * Makes the files of a session in a thread of its own, from the journals on disk, so that the app's thread goes on: for
 * 100,000 steps it takes seconds. In which order they are put in place is the order of the answer. `mustEnd`: the
 * process stays alive for it.
 */
export async function prepareBeside(
  task: DocumentTask,
  mustEnd: boolean,
): Promise<readonly PreparedFile[]> {
  for (;;) {
    const tried = perSpan;
    try {
      const files = await prepare({ ...task, isNarrow: true }, limitsFor(task), mustEnd);
      if (files !== undefined) return files;
      break;
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      if (tried >= MOST_PER_SPAN) break;
      perSpan = Math.max(perSpan, tried * WIDER);
    }
  }
  return (await prepare({ ...task, isNarrow: false }, {}, mustEnd)) ?? [];
}

/** The same while the process ends: it waits for that long at most. */
export function prepareBesideSync(task: DocumentTask, patienceMs: number): readonly PreparedFile[] {
  return (
    askThreadSync<PreparedFiles>("#document-thread", { ...task, isNarrow: false }, patienceMs) ?? []
  );
}

function prepare(
  task: ThreadTask,
  resourceLimits: ResourceLimits,
  mustEnd: boolean,
): Promise<PreparedFiles> {
  return askThread<PreparedFiles>("#document-thread", task, { resourceLimits, mustEnd });
}

function limitsFor({ spans }: DocumentTask): ResourceLimits {
  return {
    maxYoungGenerationSizeMb: YOUNG_MIB,
    maxOldGenerationSizeMb: OLD_MIB + Math.ceil((perSpan * spans) / 2 ** 20),
  };
}
