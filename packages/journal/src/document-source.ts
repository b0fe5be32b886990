import { readFile, stat } from "node:fs/promises";
import { readDocument } from "./read-document.ts";

/** What `readSession` reads of a document. */
export interface DocumentSource {
  /** Its text, or what a long one and one in parts comes to: then large payloads stay in the files until they are looked at. */
  readonly source: unknown;
  /** Of all files. */
  readonly bytes: number;
  /** From then on such payloads can't be read any more. */
  close(): void;
}

/** Longer documents are read step by step. */
const LONG_BYTES = 64 * 2 ** 20;
/** How a document begins to name its parts, whoever has formatted it. */
const NAMES_PARTS = /"parts":\s*\[\s*\{\s*"path":/;

/** A document however it is stored. Throws `PartError`, and what the file system throws. */
export async function documentSource(path: string): Promise<DocumentSource> {
  const status = await stat(path);
  const isLong = status.isFile() && status.size > LONG_BYTES;
  const text = isLong ? undefined : await readFile(path, "utf8");
  if (text !== undefined && !NAMES_PARTS.test(text)) return wholeText(text, status.size);
  try {
    const { session, bytes, close } = readDocument(path);
    return { source: session, bytes, close };
  } catch (error) {
    // Its text tells where.
    if (error instanceof SyntaxError)
      return wholeText(text ?? (await readFile(path, "utf8")), status.size);
    throw error;
  }
}

function wholeText(source: string, bytes: number): DocumentSource {
  return { source, bytes, close() {} };
}
