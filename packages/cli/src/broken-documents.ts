import { readFile } from "node:fs/promises";
import {
  createFlowDirectory,
  listSessions,
  quarantineDocument,
  realFileSystem,
} from "@thoughtflow/journal";
import { readSession } from "@thoughtflow/schema";

/**
 * Moves documents that are no JSON (zeroed by a crash, cut off) into `.quarantine`, so that they can be
 * written again from the journal.
 *
 * @returns where they are now
 */
export async function quarantineBrokenDocuments(dir: string): Promise<readonly string[]> {
  const moved: string[] = [];
  const directory = createFlowDirectory(dir, realFileSystem);
  for (const { path } of listSessions(dir)) {
    const text = await textIn(path);
    const result = text === undefined ? undefined : readSession(text);
    if (result === undefined || result.ok || result.problems.every(({ code }) => code !== "syntax"))
      continue;
    moved.push(quarantineDocument(directory, path, realFileSystem));
  }
  return moved;
}

/** `undefined` where it can't be looked at: removed meanwhile, not for us to read, or longer than a text can be. */
async function textIn(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return undefined;
  }
}
