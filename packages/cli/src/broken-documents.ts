import {
  createFlowDirectory,
  documentSource,
  listSessions,
  PartError,
  quarantineDocument,
  realFileSystem,
} from "@thoughtflow/journal";
import { readSession } from "@thoughtflow/schema";

/**
 * Moves documents that are no JSON (zeroed by a crash, cut off), or miss parts, into `.quarantine`, so that they can be
 * written again from the journal.
 *
 * @returns where they are now
 */
export async function quarantineBrokenDocuments(dir: string): Promise<readonly string[]> {
  const moved: string[] = [];
  const directory = createFlowDirectory(dir, realFileSystem);
  for (const { path } of listSessions(dir)) {
    if (await isBroken(path)) moved.push(quarantineDocument(directory, path, realFileSystem));
  }
  return moved;
}

/** Not where it can't be looked at: removed meanwhile, not for us to read, or longer than memory has room for. */
async function isBroken(path: string): Promise<boolean> {
  try {
    const { source, close } = await documentSource(path);
    const result = readSession(source);
    close();
    return !result.ok && result.problems.some(({ code }) => code === "syntax");
  } catch (error) {
    return error instanceof PartError;
  }
}
