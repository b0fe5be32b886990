import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NotSeparableError } from "@thoughtflow/assemble";
import { createPartWriter, type Journal, openJournal, realFileSystem } from "@thoughtflow/journal";
import type { FlowRecord } from "@thoughtflow/schema";
import { createRandom } from "@thoughtflow/testkit";
import { expect } from "vitest";
import { filesInStretches } from "../src/files-in-stretches.ts";
import { type SessionFile, sessionFiles } from "../src/session-files.ts";
import { createSessionRecords } from "../src/session-records.ts";
import { sessionStretches } from "../src/session-stretches.ts";
import { anySession } from "./any-session.ts";

/**
 * Compares the documents of so many sessions in journals, made in stretches as short as may be, with those made in one piece;
 * a quarter of them can be made so, or the share that is said. A third stand in the journals of two writers. `habits`: see `anySession`.
 */
export async function compareStretches(
  sessions: number,
  habits: Readonly<Record<string, boolean>> = {},
  share = 1 / 4,
): Promise<void> {
  let apart = 0;
  for (let seed = 1; seed <= sessions; seed++) {
    const random = createRandom(seed);
    const { sessionId, records } = anySession(random, habits);
    const isShared = random() < 1 / 3;
    const others = records.filter(() => isShared && random() < 0.5);
    await withJournals(records, others, (dir, journal) => {
      const written = inStretches(sessionId, dir, journal);
      if (written === undefined) return;
      apart++;
      expect(written, `seed ${seed}`).toBe(inOnePiece(sessionId, dir, journal));
    });
  }
  expect(apart).toBeGreaterThan(sessions * share);
}

/** @param others of the records: those that another process has written */
async function withJournals(
  records: readonly FlowRecord[],
  others: readonly FlowRecord[],
  compare: (dir: string, journal: Journal) => void,
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "thoughtflow-stretches-"));
  const [journal, other] = [openJournal({ dir }), openJournal({ dir })];
  try {
    for (const record of records) (others.includes(record) ? other : journal).append(record);
    await Promise.all([journal.flush(), other.flush()]);
    compare(dir, journal);
  } finally {
    journal.closeSync();
    other.closeSync();
    rmSync(dir, { recursive: true });
  }
}

/** `undefined` where the session can't be taken apart. */
function inStretches(sessionId: string, dir: string, journal: Journal): string | undefined {
  const found = sessionStretches(sessionId, {
    dir,
    writer: journal.writer,
    fs: realFileSystem,
    outline: { long: 0, stretch: 1 },
  });
  if (found === undefined || found.stretches.length < 2) return undefined;
  const { directory } = journal;
  const { write: writePart } = createPartWriter(directory, sessionId, {});
  try {
    const task = {
      ...found,
      recordsOfPieces: found.recordsOfTraces,
      directory,
      sessionId,
      writePart,
    };
    return documentIn(filesInStretches(task, {}));
  } catch (error) {
    if (error instanceof NotSeparableError) return undefined;
    throw error;
  }
}

function inOnePiece(sessionId: string, dir: string, journal: Journal): string | undefined {
  const [found] = createSessionRecords(dir, journal).read(sessionId, true);
  const { write: writePart } = createPartWriter(journal.directory, sessionId, {});
  return documentIn(sessionFiles(found?.records ?? [], sessionId, { writePart }));
}

function documentIn(files: Iterable<SessionFile>): string | undefined {
  for (const { name, chunks } of files) {
    if (!name.endsWith(".json")) continue;
    const decoder = new TextDecoder();
    return Array.from(chunks, (chunk) =>
      typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }),
    ).join("");
  }
  return undefined;
}
