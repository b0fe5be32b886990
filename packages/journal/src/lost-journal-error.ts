import { errorCodeOf, type FileSystem } from "./file-system.ts";

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

/** The same calls for files that are known to be there: what can't be read of them throws, and is not taken for nothing. */
export function ofKnownFiles(fs: FileSystem): FileSystem {
  function known<T>(path: unknown, call: () => T): T {
    try {
      return call();
    } catch (error) {
      throw new LostJournalError(String(path), error);
    }
  }
  const lstatSync = (path: string) => known(path, () => fs.lstatSync(path));
  return {
    ...fs,
    openSync: (path, ...how) => known(path, () => fs.openSync(path, ...how)),
    lstatSync: lstatSync as FileSystem["lstatSync"],
  };
}
