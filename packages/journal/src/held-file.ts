import { errorCodeOf, type FileSystem } from "./file-system.ts";

/**
 * A file that is kept open. A program that closes a descriptor that is not its own, twice mostly, gives the number to a
 * file of its own: so each is looked at before it is used.
 */
export interface HeldFile {
  readonly fd: number;
  /** Absent where the system did not say. */
  readonly dev?: number;
  readonly ino?: number;
}

/** Deleted: or cut off, so that what was in it is gone. Lost: somebody has closed the descriptor, which may be another file's by now, and must not be closed again. */
export type HeldFileState = "open" | "deleted" | "lost";

/** Of a descriptor that was opened just now. */
export function heldFile(fd: number, fs: Pick<FileSystem, "fstatSync">): HeldFile {
  try {
    const { dev, ino } = fs.fstatSync(fd);
    return { fd, dev, ino };
  } catch {
    return { fd };
  }
}

/** Closes what is still it. Throws what the file system throws. */
export function closeHeldFile(
  file: HeldFile,
  fs: Pick<FileSystem, "closeSync" | "fstatSync">,
): void {
  if (stateOfHeldFile(file, fs) !== "lost") fs.closeSync(file.fd);
}

/**
 * Throws what the file system throws.
 *
 * @param written how many bytes were written into it. Default 0
 */
export function stateOfHeldFile(
  { fd, dev, ino }: HeldFile,
  fs: Pick<FileSystem, "fstatSync">,
  written = 0,
): HeldFileState {
  try {
    const now = fs.fstatSync(fd);
    if (ino !== undefined && (now.dev !== dev || now.ino !== ino)) return "lost";
    return now.nlink === 0 || now.size < written ? "deleted" : "open";
  } catch (error) {
    if (errorCodeOf(error) === "EBADF") return "lost";
    throw error;
  }
}
