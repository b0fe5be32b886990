import { randomBytes } from "node:crypto";
import type { FlowRecord, SpanRecord } from "@thoughtflow/schema";
import { toJson } from "@thoughtflow/schema/plain-json";
import { type FileSystem, fileSizeOf, realFileSystem } from "./file-system.ts";
import { createFlowDirectory } from "./flow-directory.ts";
import { JOURNAL_FOLDER, segmentsIn } from "./journal-folder.ts";
import { createJournalWriter } from "./journal-writer.ts";
import { takeLease } from "./lease.ts";
import { endedJournals } from "./orphaned-journals.ts";
import { removeJournal } from "./remove-journal.ts";
import { createSegmentReader } from "./segment-reader.ts";
import { writeSessionList } from "./session-list.ts";

/** Which journals are written anew, and what of their records. */
export interface CompactionOptions {
  /** Journals with more bytes than this are left as they are. Default: none is. */
  readonly mostBytes?: number;
  /** What is kept instead of a record; `undefined` drops it. Default: the record. */
  readonly keep?: (record: FlowRecord) => FlowRecord | undefined;
  readonly fs?: FileSystem;
}

/** What came of it. */
export interface Compaction {
  /** Journals that went into one. */
  readonly journals: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

const NOTHING: Compaction = { journals: 0, bytesBefore: 0, bytesAfter: 0 };

/**
 * Makes one journal of all whose processes have ended and whose sessions are in documents, without what is told twice.
 * The old ones go when the new one is whole, so a crash in between leaves both, which says the same. Goes on where it
 * is asked to, between journals. Throws what the file system throws.
 */
export function* compactJournals(
  dir: string,
  {
    mostBytes = Number.POSITIVE_INFINITY,
    keep = (record) => record,
    fs = realFileSystem,
  }: CompactionOptions = {},
): Generator<void, Compaction> {
  const directory = createFlowDirectory(dir, fs);
  const ended = endedJournals(dir, { fs }).filter(
    ({ isSettled, bytes }) => isSettled && bytes <= mostBytes,
  );
  if (ended.length === 0) return NOTHING;
  const folder = directory.make(JOURNAL_FOLDER);
  const lease = takeLease(dir, "compaction.journals", { fs });
  if (lease === undefined) return NOTHING;
  const name = `${process.pid}-${randomBytes(6).toString("hex")}`;
  let problem: unknown;
  const writer = createJournalWriter({
    directory,
    writer: name,
    fs,
    now: () => 0,
    onFailure: (_code, error) => {
      problem = error;
    },
  });
  try {
    const sessions = new Set<string>();
    for (const { writer: old, paths } of ended) {
      const list = () => paths.map((path) => ({ path, writer: old }));
      const reader = createSegmentReader({ list, fs });
      reader.refreshSync();
      for (const record of withoutRepetition(reader.records())) {
        const kept = keep(record);
        if (kept !== undefined) writer.append(kept);
      }
      for (const id of reader.sessionIds()) sessions.add(id);
      yield;
    }
    writer.closeSync();
    if (problem !== undefined || !lease.renew())
      throw problem ?? new Error("somebody else compacts");
    const bytesAfter = writer.segments.reduce((sum, path) => sum + fileSizeOf(path, fs), 0);
    if (writer.segments.length > 0) {
      writeSessionList(folder, name, { bytes: bytesAfter, sessions: [...sessions] }, fs);
    }
    for (const journal of ended) removeJournal(folder, journal, fs);
    const bytesBefore = ended.reduce((sum, { bytes }) => sum + bytes, 0);
    return { journals: ended.length, bytesBefore, bytesAfter };
  } catch (error) {
    writer.closeSync();
    for (const { path } of segmentsIn(dir, fs).filter((one) => one.writer === name))
      fs.unlinkSync(path);
    throw error;
  } finally {
    lease.release();
  }
}

/** Each record once; of a span that has ended, its start has nothing more to say. */
function withoutRepetition(records: readonly FlowRecord[]): readonly FlowRecord[] {
  const ended = new Set(records.flatMap((one) => (one.type === "span_end" ? [keyOf(one)] : [])));
  const started = new Set<string>();
  const told = new Set<string>();
  return records.filter((record) => {
    if (record.type === "span_start") {
      // Only the first: another body of a start is a fact of its own.
      const isFirst = !started.has(keyOf(record));
      started.add(keyOf(record));
      if (isFirst && ended.has(keyOf(record))) return false;
    }
    const text = toJson(record);
    const isNew = !told.has(text);
    told.add(text);
    return isNew;
  });
}

function keyOf({ traceId, spanId }: SpanRecord): string {
  return `${traceId}/${spanId}`;
}
