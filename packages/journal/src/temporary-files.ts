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
  for (const name of namesIn(dir, fs)) {
    if (!TEMPORARY.test(name)) continue;
    const path = join(dir, name);
    try {
      if (nowMs - fs.lstatSync(path).mtimeMs > ORPHAN_AFTER_MS) fs.unlinkSync(path);
    } catch {
      // Somebody else was faster.
    }
  }
}
