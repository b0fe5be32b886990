import { diag } from "@opentelemetry/api";
import { type FileSystem, type FlowDirectory, quarantineDocument } from "@thoughtflow/journal";
import { revisionInDocument } from "./document-state.ts";

/** A document that is about to be replaced, and what the new one says. */
export interface Replacement {
  readonly directory: FlowDirectory;
  /** Of the document. */
  readonly path: string;
  /** Of the new one. */
  readonly revision: number;
  /** What all journals come to, read again: another process may have written the document a moment ago. */
  readonly journalRevision: () => number;
  readonly fs: FileSystem;
}

/**
 * Moves a document that says more than the journals do into `.quarantine`: somebody has taken journals away, and it is all
 * that is left of them. Throws what the file system throws.
 *
 * @returns whether there was one
 */
export function keepRicherDocument(replacement: Replacement): boolean {
  const { directory, path, revision, journalRevision, fs } = replacement;
  const there = revisionInDocument(path, fs);
  if (there === undefined || there <= revision || there <= journalRevision()) return false;
  const place = quarantineDocument(directory, path, fs);
  diag.warn(`ThoughtFlow: ${path} said more than its journals, which are gone: it is ${place} now`);
  return true;
}
