import type { Stats } from "node:fs";
import { errorCodeOf, type FileSystem } from "./file-system.ts";
import type { FileStatus, SegmentFile } from "./segment-file.ts";

/** A file of this process's own journal is gone, or no more for it to read. */
export class LostJournalError extends Error {
  override readonly name = "LostJournalError";
  readonly code = "ELOST";

  constructor(path: string, cause: unknown) {
    super(`${path}, a part of its journal, can't be read any more (${errorCodeOf(cause)})`, {
      cause,
    });
  }
}

/**
 * The same calls for files that are known to be there: what can't be read of them throws, and is not taken for nothing.
 *
 * @param isWhole whether a file has what was written into it
 */
export function ofKnownFiles(fs: FileSystem, isWhole: SegmentFile["isWhole"]): FileSystem {
  function known<T>(path: unknown, call: () => T): T {
    try {
      return call();
    } catch (error) {
      throw new LostJournalError(String(path), error);
    }
  }

  function check(path: unknown, status: FileStatus): void {
    if (!isWhole(String(path), status))
      throw Object.assign(new Error("somebody has changed it"), { code: "ESTALE" });
  }

  function lstatSync(path: string): Stats {
    return known(path, () => {
      const status = fs.lstatSync(path);
      check(path, { size: status.size });
      return status;
    });
  }

  return {
    ...fs,
    openSync: (path, ...how) =>
      known(path, () => {
        const fd = fs.openSync(path, ...how);
        try {
          check(path, fs.fstatSync(fd));
          return fd;
        } catch (error) {
          fs.closeSync(fd);
          throw error;
        }
      }),
    lstatSync: lstatSync as FileSystem["lstatSync"],
  };
}
