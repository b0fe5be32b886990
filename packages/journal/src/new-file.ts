import { APPEND_TO_NEW } from "./file-flags.ts";
import type { FileSystem } from "./file-system.ts";

/** For the user alone. */
const MODE = 0o600;

/** Opens a new file for appending, readable by the user alone: also where the process masks that out of new files' modes. */
export function openNewFile(path: string, fs: FileSystem): number {
  const fd = fs.openSync(path, APPEND_TO_NEW, MODE);
  try {
    fs.fchmodSync(fd, MODE);
  } catch {
    // Some file systems have no modes.
  }
  return fd;
}
