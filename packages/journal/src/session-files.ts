import { join } from "node:path";
import { type FileSystem, namesIn, realFileSystem } from "./file-system.ts";

/** A session's document in a flow directory. */
export interface SessionFile {
  /** File name without extension: `fileNameOf(sessionId)`. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** Wall clock, milliseconds since 1970. */
  readonly modifiedMs: number;
}

const DOCUMENT_NAME = /^([^.].*)\.json$/;

/**
 * The documents of a flow directory, newest first. Links, hidden files and what disappears meanwhile are left out;
 * an empty list when there is no such directory.
 */
export function listSessions(dir: string, fs: FileSystem = realFileSystem): SessionFile[] {
  const files: SessionFile[] = [];
  for (const fileName of namesIn(dir, fs)) {
    const name = DOCUMENT_NAME.exec(fileName)?.[1];
    if (name === undefined) continue;
    const path = join(dir, fileName);
    try {
      const status = fs.lstatSync(path);
      if (status.isFile()) {
        files.push({ name, path, bytes: status.size, modifiedMs: status.mtimeMs });
      }
    } catch {
      // Removed since the directory was read.
    }
  }
  return files.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.name < b.name ? -1 : 1));
}
