import { type BadInput, item } from "./bad-input.ts";

/** What may stand in a flow directory under the name of a document, and is none. */
export type DirectoryEntry = "fifo" | "directory" | "link to a file" | "link to a directory";

export const badDirectoryEntries: readonly BadInput<DirectoryEntry>[] = item(
  151,
  "no document",
  "fifo",
  "directory",
  "link to a file",
  "link to a directory",
);
