import { join } from "node:path";
import { type FileSystem, realFileSystem } from "./file-system.ts";
import { JOURNAL_FOLDER, segmentSizeOf, segmentsIn } from "./journal-folder.ts";
import { isSettled } from "./session-list.ts";

/** The writers of a flow directory of whose journals all is in documents. */
export function settledWriters(dir: string, fs: FileSystem = realFileSystem): ReadonlySet<string> {
  const sizes = new Map<string, number>();
  for (const { writer, path } of segmentsIn(dir, fs))
    sizes.set(writer, (sizes.get(writer) ?? 0) + segmentSizeOf(path, fs));
  const folder = join(dir, JOURNAL_FOLDER);
  return new Set(
    [...sizes].filter(([one, bytes]) => isSettled(folder, one, bytes, fs)).map(([one]) => one),
  );
}
