import { createReadStream } from "node:fs";

const BLOB = /"\$blob": \{\s*"sha256": "([0-9a-f]{64})"/g;
/** More than one naming takes. */
const OVERLAP = 256;

/** The blobs that a document names; those before the place where it can't be read any more. It may be longer than a text can be. */
export async function blobsIn(path: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
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
  return found;
}
