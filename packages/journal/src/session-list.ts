import { join } from "node:path";
import { fromJson, toJson } from "@thoughtflow/schema/plain-json";
import { readFileBytes } from "./byte-reader.ts";
import type { FileSystem } from "./file-system.ts";
import { writeDocumentSync } from "./write-document.ts";

/**
 * Beside a journal that is settled (its writer has ended, and all that it holds is in documents) `<writer>.idx` lists
 * its sessions, so that another process need not read it to know that there is nothing for it.
 */
export interface SessionList {
  /** Of all segments together: with more, the list is out of date. */
  readonly bytes: number;
  /** `null` where there was too much to look through: settled, but only reading tells its sessions. */
  readonly sessions: readonly string[] | null;
}

export function writeSessionList(
  folder: string,
  writer: string,
  list: SessionList,
  fs: FileSystem,
): void {
  writeDocumentSync(folder, listName(writer), [`${toJson(list)}\n`], { fs });
}

/** The sessions of a journal that has so many bytes; `undefined` when there is no list that says so. */
export function readSessionList(
  folder: string,
  writer: string,
  bytes: number,
  fs: FileSystem,
): ReadonlySet<string> | undefined {
  const sessions = listOf(folder, writer, bytes, fs)?.sessions;
  return Array.isArray(sessions) ? new Set(sessions) : undefined;
}

/** Whether a journal that has so many bytes needs nobody any more. */
export function isSettled(folder: string, writer: string, bytes: number, fs: FileSystem): boolean {
  return listOf(folder, writer, bytes, fs) !== undefined;
}

function listOf(
  folder: string,
  writer: string,
  bytes: number,
  fs: FileSystem,
): Partial<SessionList> | undefined {
  const text = readFileBytes(join(folder, listName(writer)), fs).toString("utf8");
  try {
    const list: Partial<SessionList> = fromJson(text);
    return list.bytes === bytes ? list : undefined;
  } catch {
    return undefined;
  }
}

function listName(writer: string): string {
  return `${writer}.idx`;
}
