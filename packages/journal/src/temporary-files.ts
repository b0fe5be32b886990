import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type FileSystem, namesIn } from "./file-system.ts";

const TEMPORARY = /^\.tmp-[0-9a-f]{16}$/;
/** A writer that is alive needs less. */
const ORPHAN_AFTER_MS = 60_000;

/** A name for a file that is still being written. */
export function temporaryName(): string {
  return `.tmp-${randomBytes(8).toString("hex")}`;
}

/** Removes from a directory what killed processes left half written. `nowMs` is the wall clock. */
export function sweepTemporaryFiles(dir: string, fs: FileSystem, nowMs: number = Date.now()): void {
  try {
    for (const name of namesIn(dir, fs)) {
      const path = join(dir, name);
      if (TEMPORARY.test(name) && isOrphan(path, fs, nowMs)) fs.unlinkSync(path);
    }
  } catch {
    // Somebody else was faster, or the next process will be.
  }
}

function isOrphan(path: string, fs: FileSystem, nowMs: number): boolean {
  const changedMs = fs.lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return changedMs !== undefined && nowMs - changedMs > ORPHAN_AFTER_MS;
}
