import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal } from "@thoughtflow/journal";
import type { FlowRecord, Session } from "@thoughtflow/schema";
import { prepareBeside } from "../src/prepare-beside.ts";

/** What is said of a session to `prepareBeside`. */
export interface SaidOfSession {
  readonly spans: number;
  readonly bytes?: number;
  readonly inOnePiece?: { bytesInOnePiece: number };
}

export interface WrittenBeside {
  readonly session: Session;
  readonly text: string;
  /** How many threads that took. */
  readonly threads: number;
  /** How many files of threads that gave up or failed are still there. */
  readonly left: number;
}

/** The document of session `large`, which has these records, written beside. */
export async function writtenBeside(
  records: Iterable<FlowRecord>,
  { spans, bytes = 0, inOnePiece = { bytesInOnePiece: 0 } }: SaidOfSession,
): Promise<WrittenBeside> {
  const dir = mkdtempSync(join(tmpdir(), "thoughtflow-beside-"));
  let threads = 0;
  const count = (): number => threads++;
  process.on("worker", count);
  try {
    const journal = openJournal({ dir });
    for (const record of records) journal.append(record);
    await journal.flush();
    const { writer } = journal;
    const task = { dir, writer, sessionId: "large", isShared: false, known: undefined };
    const about = { records: spans, spans, bytes, prices: undefined };
    const files = await prepareBeside({ ...task, ...about }, inOnePiece, true);
    journal.closeSync();
    const made = new Set(files.map(({ temporary }) => temporary));
    const left = readdirSync(dir)
      .map((name) => join(dir, name))
      .filter((path) => path.includes(".tmp-") && !made.has(path)).length;
    const document = files.find(({ path }) => path.endsWith("large.json"));
    const text = readFileSync(document?.temporary ?? "", "utf8");
    return { session: JSON.parse(text), text, threads, left };
  } finally {
    process.off("worker", count);
    rmSync(dir, { recursive: true, force: true });
  }
}
