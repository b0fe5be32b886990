import { constants } from "node:fs";
import type { FileSystem } from "./file-system.ts";

/** Never a file that is there, nor one behind a link. `O_NOFOLLOW` is not known on Windows. */
const NEW_FILE =
  constants.O_WRONLY |
  constants.O_CREAT |
  constants.O_EXCL |
  constants.O_APPEND |
  (constants.O_NOFOLLOW ?? 0);

/** Opens a new file for appending, readable by the user alone. */
export function openNewFile(path: string, fs: FileSystem): number {
  return fs.openSync(path, NEW_FILE, 0o600);
}
