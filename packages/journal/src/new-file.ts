import { APPEND_TO_NEW } from "./file-flags.ts";
import type { FileSystem } from "./file-system.ts";

/** Opens a new file for appending, readable by the user alone. */
export function openNewFile(path: string, fs: FileSystem): number {
  return fs.openSync(path, APPEND_TO_NEW, 0o600);
}
