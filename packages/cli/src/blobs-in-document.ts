import { createReadStream } from "node:fs";
import { partsOf } from "@thoughtflow/journal";

const BLOB = /"\$blob": \{\s*"sha256": "([0-9a-f]{64})"/g;
/** More than one naming takes. */
const OVERLAP = 256;

/**
 * The blobs that a document and its parts name; those before the place where it can't be read any more. It may be longer than a text
 * can be.
 */
export async function blobsIn(path: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const file of [path, ...partsOf(path.replace(/\.json$/, ""))]) await addBlobs(file, found);
  return found;
}

async function addBlobs(path: string, found: Set<string>): Promise<void> {
  let rest = "";
  try {
    for await (const piece of createReadStream(path, { encoding: "latin1" })) {
      const text: string = rest + piece;
      for (const [, sha256 = ""] of text.matchAll(BLOB)) found.add(sha256);
      rest = text.slice(-OVERLAP);
    }
  } catch {
    // What it named before it was gone, or could not be read, counts.
  }
}
