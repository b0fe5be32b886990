import { join } from "node:path";
import { fromJson } from "@thoughtflow/schema/plain-json";
import { readFileBytes } from "./byte-reader.ts";
import { type FileSystem, fileSizeOf } from "./file-system.ts";
import type { OrphanedJournal } from "./orphaned-journals.ts";

/** Deletes the files of a journal. What its writer counted stays where it tells of a loss. */
export function removeJournal(
  folder: string,
  { writer, paths }: OrphanedJournal,
  fs: FileSystem,
): void {
  for (const path of paths) fs.unlinkSync(path);
  const state = join(folder, `${writer}.state.json`);
  const beside = [join(folder, `${writer}.idx`), ...(tellsOfLoss(state, fs) ? [] : [state])];
  for (const path of beside) if (fileSizeOf(path, fs) > 0) fs.unlinkSync(path);
}

function tellsOfLoss(state: string, fs: FileSystem): boolean {
  try {
    return fromJson(readFileBytes(state, fs).toString("utf8")).dropped > 0;
  } catch {
    return false;
  }
}
