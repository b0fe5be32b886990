import { dirname, resolve } from "node:path";
import { membersOf, textOf, valueOrText } from "../plain-values.ts";
import { type SourceFile, sourceFile } from "../source-file.ts";
import { isFileBelow } from "./referred-files.ts";

/** Files of which one goes on where the one before ends, as that says; most are alone. */
export type Continued = readonly SourceFile[];

const FIELD = "continued_trajectory_ref";

/** The files in such rows, each once; what goes round in a circle begins with any of them. */
export async function continuedFiles(files: readonly SourceFile[]): Promise<readonly Continued[]> {
  const byPath = new Map(files.map((file) => [pathOf(file), file]));
  const next = new Map<SourceFile, SourceFile>();
  for (const file of files) {
    const named = await nextOf(file);
    const there = named && byPath.get(resolve(dirname(pathOf(file)), named));
    if (there !== undefined && there !== "" && there !== file) next.set(file, there);
  }
  const later = new Set(next.values());
  const seen = new Set<SourceFile>();
  const inOrder = files.toSorted((a, b) => Number(later.has(a)) - Number(later.has(b)));
  return inOrder.flatMap((first) => {
    const row: SourceFile[] = [];
    for (let at: SourceFile | undefined = first; at !== undefined; at = next.get(at)) {
      if (seen.has(at)) break;
      seen.add(at);
      row.push(at);
    }
    return row.length === 0 ? [] : [row];
  });
}

/** A file, and those of its directory, or below it, that go on from it: absolute paths, in order. */
export async function pathsGoingOnFrom(path: string): Promise<readonly string[]> {
  const row = new Set<string>();
  for (let at: string | undefined = resolve(path); at !== undefined && !row.has(at); ) {
    row.add(at);
    const named = await nextOf(sourceFile(at, at));
    const there: string | undefined = named && resolve(dirname(at), named);
    at = there !== undefined && (await isFileBelow(dirname(at), there)) ? there : undefined;
  }
  return [...row];
}

/** What a file names that goes on from it. */
async function nextOf(file: SourceFile): Promise<string | undefined> {
  const text = await file.text().catch(() => "");
  return text.includes(`"${FIELD}"`) ? textOf(membersOf(valueOrText(text))[FIELD]) : undefined;
}

function pathOf({ path, name }: SourceFile): string {
  return resolve(path ?? name);
}
