import { join } from "node:path";
import { isSpan, sessionIdOf } from "@thoughtflow/dialects/spans";
import { type FileSystem, fileNameOf, openJournal, realFileSystem } from "@thoughtflow/journal";
import type { FlowRecord } from "@thoughtflow/schema";
import { revisionInDocument, stateOfDocument } from "./document-state.ts";
import { createHeldRecords } from "./held-records.ts";
import type { KnownRecords } from "./known-records.ts";
import type { PassingRecords } from "./passing-records.ts";
import { PictureError } from "./picture-error.ts";
import {
  createSessionOutline,
  LONG_SESSION_SPANS,
  type OutlineOptions,
  type SessionOutline,
} from "./session-outline.ts";
import { createSessionWriter } from "./session-writer.ts";
import { stayAliveFor } from "./stay-alive.ts";
import { createTraceSessions } from "./trace-sessions.ts";

export { createKnownRecords, type KnownRecords } from "./known-records.ts";
export { createPassingRecords, type PassingRecords } from "./passing-records.ts";

/** What was put into a flow directory. */
export interface KeptRecords {
  readonly records: number;
  /**
   * The sessions that the records speak of and of which there is something to show; their files hold all that the journals
   * hold of them.
   */
  readonly sessions: readonly string[];
  /** Those of them that nothing new was told of: their files are as they were. */
  readonly unchanged: readonly string[];
  /** Sessions that were erased before: nothing of them is there, or was written. */
  readonly erased: readonly string[];
  /** Those whose files could not all be written, each with what the file system said. Of a `PictureError` the document is there. */
  readonly failed: readonly { readonly sessionId: string; readonly problem: unknown }[];
}

/** Who hears of written sessions, and the file system; default: nobody, the real one. */
export interface KeepRecordsOptions {
  readonly fs?: FileSystem;
  /** Hears of each session once its document is written. */
  readonly onSession?: (sessionId: string) => void;
  /**
   * Each call of a model tells only what it was given anew, and names the call that it goes on from: so a long session is
   * assembled stretch by stretch, and the records of a shorter one are held in memory until its files are made, up to 32 MiB
   * in all. Default false.
   */
  readonly areSeparable?: boolean;
  /** What the directory was told before: such records are not written again. Default: nothing. */
  readonly known?: KnownRecords;
  /** More of the sessions will be told: nothing takes the place yet of what was told otherwise before. Default false. */
  readonly isGrowing?: boolean;
  /** Takes note of what is told while they grow. Default: nobody does. */
  readonly passing?: PassingRecords;
  /** Hears that all was told, and is in the journal: what it was read with is not needed any more. */
  readonly onTold?: () => void;
  /** Hears how many stretches of such a session are assembled, and of how many. */
  readonly onStretch?: (done: number, all: number) => void;
  /** Hears of each part of the journal, some 64 MiB, that is about to be looked through for what is assembled, and of each text of more than 1 MiB that is about to be read. Must not throw. */
  readonly onLargeRead?: () => void;
  /** How long a file of a document may be. Default `PART_BYTES`. */
  readonly partBytes?: number;
  /** How long such a session is, and its stretches. */
  readonly outline?: OutlineOptions;
}

/** Of records that tell only news: what they all have in common is told again soon enough. */
const REMEMBERED_CHARACTERS = 1024 * 1024;

/** So many bytes of records wait at most: their texts need not all be in memory. */
const WAITING_BYTES = 4 * 2 ** 20;

/**
 * A session of which nothing came for so many bytes is taken to be told: its files are written while its records are in
 * the latest part of the journal, and once more if it goes on.
 */
const TOLD_BYTES = 4 * 2 ** 20;

/**
 * Puts records of elsewhere into a flow directory, as a process that recorded them would: into its journal, then the
 * files of every session they speak of. Takes the records as they come and keeps none. What was there already, by the same
 * trace and span id, is not there twice. A session whose records can't be read from the journal any more has failed. Ends with
 * the error that the records end with, and throws when the journal can't be written.
 */
export function keepRecords(
  dir: string,
  records: AsyncIterable<FlowRecord> | Iterable<FlowRecord>,
  options: KeepRecordsOptions = {},
): Promise<KeptRecords> {
  return stayAliveFor(kept(dir, records, options));
}

async function kept(
  dir: string,
  records: AsyncIterable<FlowRecord> | Iterable<FlowRecord>,
  {
    fs = realFileSystem,
    onSession = () => {},
    areSeparable = false,
    known,
    isGrowing = false,
    passing,
    outline: sizes,
    onTold,
    onStretch,
    onLargeRead,
    partBytes,
  }: KeepRecordsOptions,
): Promise<KeptRecords> {
  let problem: unknown;
  let documentProblem: unknown;
  const onFailure = (what: unknown): void => {
    documentProblem = what;
  };
  const journal = openJournal({
    dir,
    fs,
    mustBeWhole: true,
    // What is long would be written by the clock, and once more at once, since it is long.
    isPaced: true,
    onLargeRead,
    ...(areSeparable && { rememberedCharacters: REMEMBERED_CHARACTERS }),
    onFailure: (code, error) => {
      problem = error ?? code;
    },
  });
  const now = () => performance.now();
  const traces = createTraceSessions();
  // Those that tell their whole history again and again are in memory many times over; earlier ones are in the journal.
  const held =
    areSeparable && journal.counters.appended === 0
      ? createHeldRecords({ traces, onLetGo: outlineBegun })
      : undefined;
  const sessions = createSessionWriter({
    dir,
    journal: {
      ...journal,
      recordsOfSession: (id) => held?.release(id) ?? journal.recordsOfSession(id),
    },
    now,
    onFailure,
    fs,
    isAlone: true,
    ...(partBytes !== undefined && { partBytes }),
  });
  const failed = new Map<string, unknown>();
  /** Those whose files were made, or could not be: what was known of them by then is let go. */
  const letGo = new Set<string>();
  /** Those of them that have a document: of one without a step to show there is none. */
  const shown = new Set<string>();
  const droppedBefore = journal.counters.dropped;
  /** Where the last record of each session stands whose files are not written, in bytes; the one longest untouched first. */
  const untold = new Map<string, number>();
  const outlines = new Map<string, SessionOutline>();
  /** The sessions of what was known. */
  const retold = new Set<string>();
  let count = 0;
  let bytes = 0;
  let flushed = 0;
  let isDone = false;
  const long = sizes?.long ?? LONG_SESSION_SPANS;

  function append(record: FlowRecord): void {
    const size = journal.append(record);
    bytes += size;
    held?.take(record, size);
    placed(record);
  }

  function placed(record: FlowRecord): void {
    const id =
      record.type === "session" || record.type === "tombstone"
        ? record.sessionId
        : traces.take(record.traceId, sessionIdOf(record));
    if (id === undefined) return;
    untold.delete(id);
    untold.set(id, bytes);
    // Of a short session, as most are held whole, nobody asks for one.
    if (!areSeparable || held?.of(id) !== undefined) return;
    // What came before is missing.
    if (letGo.has(id) && !outlines.has(id)) return;
    (outlines.get(id) ?? outlineBegun(id)).take(record);
  }

  function outlineBegun(id: string, records: readonly FlowRecord[] = []): SessionOutline {
    const outline = createSessionOutline(sizes);
    outlines.set(id, outline);
    for (const record of records) outline.take(record);
    return outline;
  }

  /** Of one that is held, only where it is long. */
  function outlineOf(id: string): SessionOutline | undefined {
    const records = held?.of(id);
    if (records === undefined) return outlines.get(id);
    return records.length < long ? undefined : outlineBegun(id, records);
  }

  function notWritten(problem: unknown): false {
    documentProblem = problem;
    return false;
  }

  /** How many records of it other journals hold already. */
  function countBefore(id: string): number {
    return known?.countOf(id) ?? 0;
  }

  /** True once its files are written stretch by stretch; `undefined` where that can't be. */
  async function isWrittenInStretches(id: string): Promise<true | undefined> {
    if (!areSeparable) return undefined;
    const outline = outlineOf(id);
    const before = countBefore(id);
    const stretches = before > 0 ? undefined : outline?.stretches();
    const isGrown = before > 0 && (outline !== undefined || before >= long);
    if (!isGrown && stretches === undefined) {
      outlines.delete(id);
      return undefined;
    }
    const { writeLongSession } = await import("./long-session-files.ts");
    const task = { dir, journal, sessionId: id, sizes, fs, onStretch, partBytes };
    const own = stretches && outline && { stretches, outline };
    return (await writeLongSession({ ...task, own })) || undefined;
  }

  function hasDocument(id: string): boolean {
    return stateOfDocument(join(dir, `${fileNameOf(id)}.json`), fs) !== undefined;
  }

  /** As they are, whatever they say: what they were made of is known, and all of it was in documents. */
  function hasFiles(id: string): boolean {
    const name = join(dir, fileNameOf(id));
    return (
      revisionInDocument(`${name}.json`, fs) !== undefined &&
      [".d2", ".svg"].every((ending) => stateOfDocument(`${name}${ending}`, fs) !== undefined)
    );
  }

  async function write(id: string): Promise<void> {
    untold.delete(id);
    documentProblem = undefined;
    const isWritten =
      (await isWrittenInStretches(id).catch(notWritten)) ?? (await sessions.adopt(id));
    held?.release(id);
    letGo.add(id);
    if (isWritten) failed.delete(id);
    else failed.set(id, documentProblem);
    // Without a picture the document is there.
    if (!isWritten && !(documentProblem instanceof PictureError)) return;
    if (shown.has(id) || !hasDocument(id)) return;
    shown.add(id);
    onSession(id);
  }

  try {
    for await (const record of records) {
      count++;
      const derived = isSpan(record) ? `s_${record.traceId}` : undefined;
      const named = isSpan(record) ? traces.of(record.traceId) : undefined;
      const knownIn = known?.take(record, named ?? derived);
      if (knownIn !== undefined) {
        retold.add(knownIn);
        // Of a trace of which nobody names a session more may be told yet, which is to be written.
        if (isSpan(record) && knownIn !== derived) traces.take(record.traceId, knownIn);
        continue;
      }
      append(record);
      if (isGrowing) passing?.take(record);
      if (bytes - flushed < WAITING_BYTES) continue;
      flushed = bytes;
      await journal.flush();
      if (journal.counters.dropped > droppedBefore) break;
      for (const [id, at] of untold) {
        if (at > bytes - TOLD_BYTES) break;
        // What more is told of it may be known, or take the place of what is.
        if (countBefore(id) === 0) await write(id);
      }
    }
    if (!isGrowing) {
      for (const record of known?.superseded() ?? []) append(record);
      for (const id of known?.gone ?? []) {
        untold.delete(id);
        sessions.moved(id);
      }
      known?.letGo();
    }
    await journal.flush();
    if (journal.counters.dropped > droppedBefore || problem !== undefined)
      throw problem ?? new Error("the journal could not be written");
    onTold?.();
    for (const id of untold.keys()) await write(id);
    for (const trace of traces.unnamed) await write(`s_${trace}`);
    await sessions.flush();
    const unchanged: string[] = [];
    const erased = [...retold].filter((id) => known?.isErased(id));
    for (const id of retold) {
      if (letGo.has(id) || known?.isErased(id)) continue;
      if (hasFiles(id)) unchanged.push(id);
      else await write(id);
    }
    isDone = true;
    return {
      records: count,
      sessions: [...new Set([...shown, ...unchanged, ...failed.keys()])],
      unchanged,
      erased,
      failed: [...failed].map(([sessionId, problem]) => ({ sessionId, problem })),
    };
  } finally {
    journal.flushSync();
    // What is in no document yet, the next one has to look at.
    if (isDone && failed.size === 0) journal.settleSync();
    journal.closeSync();
  }
}
