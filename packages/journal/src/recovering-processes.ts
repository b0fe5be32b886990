import { join } from "node:path";
import { readFileBytes } from "./byte-reader.ts";
import { type FileSystem, namesIn, realFileSystem } from "./file-system.ts";
import { JOURNAL_FOLDER } from "./journal-folder.ts";
import { lifeOf, type ProcessIdentity, parseIdentity } from "./process-identity.ts";

/** The processes that have taken up journals of dead ones in a flow directory, as their leases say, each once. */
export function recoveringProcesses(
  dir: string,
  fs: FileSystem = realFileSystem,
): readonly ProcessIdentity[] {
  const folder = join(dir, JOURNAL_FOLDER);
  const found = new Map<string, ProcessIdentity>();
  for (const name of namesIn(folder, fs)) {
    if (!name.endsWith(".adopted.lease")) continue;
    const holder = parseIdentity(readFileBytes(join(folder, name), fs).toString("utf8"));
    if (holder !== undefined && lifeOf(holder) !== "dead")
      found.set(`${holder.pid} ${holder.space}`, holder);
  }
  return [...found.values()];
}
