import { join } from "node:path";
import { createFileReader } from "./byte-reader.ts";
import { type FileSystem, fileSizeOf } from "./file-system.ts";
import { writeDocumentSync } from "./write-document.ts";

/**
 * Beside a journal that was ended in order, `<writer>.idx` lists its sessions, so that another process need not read
 * it to know that there is nothing for it.
 */
interface SessionList {
  /** Of all segments together: with more, the list is out of date. */
  readonly bytes: number;
  readonly sessions: readonly string[];
}

export function writeSessionList(
  folder: string,
  writer: string,
  list: SessionList,
  fs: FileSystem,
): void {
  writeDocumentSync(folder, listName(writer), [`${JSON.stringify(list)}\n`], { fs });
}

/** The sessions of a journal that has so many bytes; `undefined` when there is no list that says so. */
export function readSessionList(
  folder: string,
  writer: string,
  bytes: number,
  fs: FileSystem,
): ReadonlySet<string> | undefined {
  const path = join(folder, listName(writer));
  const reader = createFileReader(fs);
  const text = reader.read(path, 0, fileSizeOf(path, fs)).toString("utf8");
  reader.close();
  try {
    const list: Partial<SessionList> = JSON.parse(text);
    return list.bytes === bytes && Array.isArray(list.sessions)
      ? new Set(list.sessions)
      : undefined;
  } catch {
    return undefined;
  }
}

function listName(writer: string): string {
  return `${writer}.idx`;
}
