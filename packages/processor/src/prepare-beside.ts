import { join } from "node:path";
import type { ResourceLimits } from "node:worker_threads";
import type { PriceFile } from "@thoughtflow/dialects/prices";
import {
  fileNameOf,
  type PreparedDocument,
  realFileSystem,
  removeMarkedFiles,
  temporaryMark,
} from "@thoughtflow/journal";
import { askThread, askThreadSync, isOutOfMemory } from "./ask-thread.ts";
import type { LiveSession } from "./live-session.ts";

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
  /** About how many spans the session has, or fewer; its bytes in journals or in its document. */
  readonly spans: number;
  readonly bytes: number;
  /** The prices of the process. */
  readonly prices: PriceFile | undefined;
}

/** The same for a thread whose memory may be limited: it gives up where it meets what may be too long for that. */
export interface ThreadTask extends DocumentTask {
  readonly isNarrow: boolean;
  /** Assembles the session in stretches of so many spans, or gives up where that can't be; `undefined`: in one piece. */
  readonly stretch: number | undefined;
  /** In the names of the files that it makes. */
  readonly mark: string;
}

/** A file of a session that waits to be put in its place. */
export interface PreparedFile extends PreparedDocument {
  /** Below the flow directory; empty or `blobs`. */
  readonly folder: string;
  readonly name: string;
  readonly isPicture?: boolean;
  /** Why it could not be made, which only a picture may be. */
  readonly problem?: string;
  /** Of the document, which alone has one. */
  readonly revision?: number;
  /** Those that the session's document names, which are in their places, as paths below the flow directory. */
  readonly parts: readonly string[];
}

/** What the thread answers: the files, or why it gave up. */
export type PreparedFiles = readonly PreparedFile[] | "too narrow" | "in one piece";

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

/** A session of so many spans or bytes is assembled in stretches of at least so many spans where that can be. */
const LONG_SPANS = 5_000;
const LONG_BYTES = 16 * 2 ** 20;
const STRETCH_SPANS = 2_000;
/** Of such a session only where its spans stand is in memory for each of them. */
const PER_SPAN_IN_STRETCHES = 64;
const OLD_MIB_IN_STRETCHES = 64;
/** A stretch is garbage as a whole: wider, an eighth of the time is saved. */
const YOUNG_MIB_IN_STRETCHES = 32;
const WIDEST_IN_STRETCHES = 16;

/**
 * Makes the files of a session in a thread of its own, from the journals on disk, so that the app's thread goes on: for
 * 100,000 steps it takes seconds. In which order they are put in place is the order of the answer. `mustEnd`: the
 * process stays alive for it. One that had to be assembled in one piece is tried again once it has doubled.
 */
export async function prepareBeside(
  task: DocumentTask,
  session: Pick<LiveSession, "bytesInOnePiece">,
  mustEnd: boolean,
): Promise<readonly PreparedFile[]> {
  const { spans, bytes } = task;
  const isLong = spans >= LONG_SPANS || (bytes >= LONG_BYTES && spans >= 2 * STRETCH_SPANS);
  if (isLong && bytes >= 2 * session.bytesInOnePiece) {
    const made = await prepareInStretches(task, mustEnd);
    if (made !== undefined) return made;
    session.bytesInOnePiece = bytes;
  }
  return prepareInOnePiece(task, mustEnd);
}

/** `undefined` where the session has to be assembled in one piece. */
async function prepareInStretches(
  task: DocumentTask,
  mustEnd: boolean,
): Promise<readonly PreparedFile[] | undefined> {
  const ofStretches = { ...task, stretch: STRETCH_SPANS };
  for (let wider = 1; wider <= WIDEST_IN_STRETCHES; wider *= WIDER) {
    const limits = limitsOf(
      YOUNG_MIB_IN_STRETCHES,
      OLD_MIB_IN_STRETCHES * wider,
      PER_SPAN_IN_STRETCHES * task.spans,
    );
    try {
      const files = await prepare({ ...ofStretches, isNarrow: true }, limits, mustEnd);
      if (files === "in one piece") return undefined;
      if (files !== "too narrow") return files;
      const all = await prepare({ ...ofStretches, isNarrow: false }, {}, mustEnd);
      return typeof all === "string" ? undefined : all;
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
    }
  }
  return undefined;
}

async function prepareInOnePiece(
  task: DocumentTask,
  mustEnd: boolean,
): Promise<readonly PreparedFile[]> {
  const whole = { ...task, stretch: undefined };
  for (;;) {
    const tried = perSpan;
    try {
      const limits = limitsOf(YOUNG_MIB, OLD_MIB, perSpan * task.spans);
      const files = await prepare({ ...whole, isNarrow: true }, limits, mustEnd);
      if (typeof files !== "string") return files;
      break;
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      if (tried >= MOST_PER_SPAN) break;
      perSpan = Math.max(perSpan, tried * WIDER);
    }
  }
  const files = await prepare({ ...whole, isNarrow: false }, {}, mustEnd);
  return typeof files === "string" ? [] : files;
}

/** The same while the process ends, in one piece: it waits for that long at most. */
export function prepareBesideSync(task: DocumentTask, patienceMs: number): readonly PreparedFile[] {
  const mark = temporaryMark();
  const whole = { ...task, isNarrow: false, stretch: undefined, mark };
  let files: PreparedFiles | undefined;
  try {
    files = askThreadSync<PreparedFiles>("#document-thread", whole, patienceMs);
  } finally {
    if (!Array.isArray(files)) discard(task, mark);
  }
  return typeof files === "string" ? [] : files;
}

async function prepare(
  task: Omit<ThreadTask, "mark">,
  resourceLimits: ResourceLimits,
  mustEnd: boolean,
): Promise<PreparedFiles> {
  const mark = temporaryMark();
  const whole: ThreadTask = { ...task, mark };
  let files: PreparedFiles | undefined;
  try {
    files = await askThread<PreparedFiles>("#document-thread", whole, { resourceLimits, mustEnd });
    return files;
  } finally {
    if (!Array.isArray(files)) discard(task, mark);
  }
}

/** A thread that gave up, or was ended at any point of its work, may have left files. */
function discard({ dir, sessionId }: DocumentTask, mark: string): void {
  for (const folder of ["", "blobs", fileNameOf(sessionId)])
    removeMarkedFiles(join(dir, folder), mark, realFileSystem);
}

/** @param bytes of the old generation, besides those MiB */
function limitsOf(youngMiB: number, oldMiB: number, bytes: number): ResourceLimits {
  return {
    maxYoungGenerationSizeMb: youngMiB,
    maxOldGenerationSizeMb: oldMiB + Math.ceil(bytes / 2 ** 20),
  };
}
