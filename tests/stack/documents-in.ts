import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The texts of the sessions' documents in a flow directory, by file name, in its order. */
export async function documentsIn(dir: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(dir)).filter((name) => /^[^.].*\.json$/.test(name)).sort();
  const texts = names.map(async (name) => [name, await readFile(join(dir, name), "utf8")] as const);
  return new Map(await Promise.all(texts));
}
