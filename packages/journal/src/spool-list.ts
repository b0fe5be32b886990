import { join } from "node:path";
import { type FileSystem, namesIn, realFileSystem } from "./file-system.ts";
import { parseSpoolFile } from "./spool-file-name.ts";

/** What waits in one spool. */
export interface SpoolContents {
  /** The folder. */
  readonly path: string;
  readonly requests: number;
  readonly spans: number;
  readonly bytes: number;
  /** Milliseconds since 1970 when the oldest was written. */
  readonly oldest: number;
}

/** The spools below a folder, by their names alone; empty ones are left out. */
export function listSpools(
  parent: string,
  fs: FileSystem = realFileSystem,
): readonly SpoolContents[] {
  return namesIn(parent, fs).flatMap((name) => {
    const path = join(parent, name);
    const files = namesIn(path, fs)
      .map(parseSpoolFile)
      .filter((file) => file !== undefined);
    if (files.length === 0) return [];
    return [
      {
        path,
        requests: files.length,
        spans: files.reduce((sum, { spans }) => sum + spans, 0),
        bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
        oldest: Math.min(...files.map(({ writtenAt }) => writtenAt)),
      },
    ];
  });
}
