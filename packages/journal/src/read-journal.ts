import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { FlowRecord } from "@thoughtflow/schema";
import { createMemoryReader } from "./byte-reader.ts";
import type { Damage } from "./frame.ts";
import { createJournalReader, type JournalReaderOptions } from "./journal-reader.ts";
import { createRecordIndex } from "./record-index.ts";

/** What one journal file holds. */
export interface JournalContents {
  /** In the order in which they were written; equal content pieces and lists are one and the same object. */
  readonly records: readonly FlowRecord[];
  /** Stretches that are no intact frame, the torn end of a killed process included. */
  readonly damaged: readonly Damage[];
}

/** Reads one segment, a file or its bytes, keeping every intact record. Throws when the file can't be read. */
export async function readJournal(journal: string | Uint8Array): Promise<JournalContents> {
  return contentsOf(typeof journal === "string" ? await readFile(journal) : journal);
}

/** The same at once. */
export function readJournalSync(journal: string | Uint8Array): JournalContents {
  return contentsOf(typeof journal === "string" ? readFileSync(journal) : journal);
}

/** Every record in a flow directory, over all writers or some. */
export async function readJournals(
  dir: string,
  options: JournalReaderOptions = {},
): Promise<FlowRecord[]> {
  const reader = createJournalReader(dir, options);
  await reader.refresh();
  return reader.records();
}

function contentsOf(journal: Uint8Array): JournalContents {
  const bytes = Buffer.from(journal.buffer, journal.byteOffset, journal.byteLength);
  const index = createRecordIndex(() => createMemoryReader(bytes));
  const { end, damaged } = index.add("", bytes, 0);
  const torn = end < bytes.length ? [{ start: end, end: bytes.length }] : [];
  return { records: index.records(), damaged: [...damaged, ...torn] };
}
