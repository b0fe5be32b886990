import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FlowRecord } from "@thoughtflow/schema";
import { openJournal } from "../src/journal.ts";

/** Leaves a journal as that of a process that ended a minute ago, with the name of its writer made unreadable. */
export function journalOfDeadProcess(dir: string, records: readonly FlowRecord[]): string {
  const journal = openJournal({ dir });
  for (const record of records) journal.append(record);
  journal.closeSync();
  const path = join(dir, ".journal", `${journal.writer}.tfj`);
  const bytes = readFileSync(path);
  bytes[20] = 0;
  writeFileSync(path, bytes);
  const then = Date.now() / 1000 - 60;
  utimesSync(path, then, then);
  return path;
}
