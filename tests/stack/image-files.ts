import { execFile } from "node:child_process";
import { copyFile, realpath } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Copies the libraries that programs name into a build's directory; gives the lines of its Dockerfile that put each in its place. */
export async function copyLibraries(
  programs: readonly string[],
  dir: string,
): Promise<readonly string[]> {
  const libraries = new Set<string>();
  for (const program of programs) {
    const { stdout } = await run("ldd", [program]);
    for (const library of stdout.match(/\/\S+/g) ?? []) libraries.add(library);
  }
  for (const library of libraries)
    await copyFile(await realpath(library), join(dir, basename(library)));
  return [...libraries].map((library) => `COPY ${basename(library)} ${library}`);
}
