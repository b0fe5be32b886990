import { realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { listOf, membersOf, type PlainObject, textOf, valueOrText } from "../plain-values.ts";
import { type SourceFile, sourceFile } from "../source-file.ts";
import { embeddedIn, trajectoriesIn } from "./embedded.ts";
import { trajectoryIn } from "./trajectory-text.ts";

/** A sub-agent's trajectory that stands in a file of its own. */
interface Referred {
  /** What the reference calls it. */
  readonly id: string;
  /** Absolute. */
  readonly path: string;
}

/** The references of a trajectory, without those that it embeds, to files: relative ones are from its own file's directory. */
function referredBy(trajectory: PlainObject, path: string): readonly Referred[] {
  const refs = listOf(trajectory["steps"])
    .flatMap((step) => listOf(membersOf(membersOf(step)["observation"])["results"]))
    .flatMap((result) => listOf(membersOf(result)["subagent_trajectory_ref"]))
    .map(membersOf);
  return refs.flatMap(({ trajectory_id, trajectory_path }) => {
    const named = textOf(trajectory_path);
    if (named === undefined) return [];
    const there = resolve(dirname(path), named);
    return there === path ? [] : [{ id: textOf(trajectory_id) ?? named, path: there }];
  });
}

function isBelow(directory: string, path: string): boolean {
  const there = relative(directory, path);
  return !isAbsolute(there) && there.split(sep)[0] !== "..";
}

/** Whether it is a file below a directory, and also by no link one elsewhere; a pipe or a device may never end. */
export async function isFileBelow(directory: string, path: string): Promise<boolean> {
  if (!isBelow(directory, path)) return false;
  try {
    if (!isBelow(await realpath(directory), await realpath(path))) return false;
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** A file to look through, and the directory of the given one that led to it: nothing outside of that is looked at. */
interface Found {
  readonly file: SourceFile;
  readonly within: string;
}

/** The files that files refer to, and those that they refer to: absolute paths. Each is read once, however many refer to it. */
export async function pathsReferredBy(given: readonly SourceFile[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const seen = new Set(given.map(({ path = "" }) => resolve(path)));
  let files = given.map((file): Found => ({ file, within: dirname(resolve(file.path ?? "")) }));
  while (files.length > 0) {
    const next: Found[] = [];
    for (const { file, within } of files) {
      if (file.path === undefined) continue;
      const path = resolve(file.path);
      const text = await file.text().catch(() => "");
      if (!text.includes('"trajectory_path"')) continue;
      const told = membersOf(valueOrText(text));
      for (const { path: there } of trajectoriesIn(told).flatMap((one) => referredBy(one, path))) {
        if (found.has(there)) continue;
        if (!seen.has(there)) {
          if (!(await isFileBelow(within, there))) continue;
          next.push({ file: sourceFile(there, there), within });
        }
        found.add(there);
      }
    }
    files = next;
  }
  return found;
}

/** The trajectory with those embedded that it refers to by their files; each file once, in what is nearest to the outermost. */
export async function withReferred(
  trajectory: PlainObject,
  path: string,
  files: ReadonlyMap<string, SourceFile>,
  read: Set<string>,
): Promise<PlainObject> {
  const outermost = { ...trajectory };
  // In a list, since those that refer to each other may be thousands.
  const all: { readonly one: Record<string, unknown>; readonly path: string }[] = [
    { one: outermost, path },
  ];
  for (const { one, path: from } of all) {
    const inner = embeddedIn(one).map((own) => ({ one: { ...own }, path: from }));
    for (const { id, path: there } of referredBy(one, from)) {
      const file = files.get(there);
      if (file === undefined || read.has(there)) continue;
      read.add(there);
      const told = trajectoryIn(await file.text());
      inner.push({ one: { ...told, trajectory_id: id }, path: there });
    }
    if (inner.length > 0) one["subagent_trajectories"] = inner.map((own) => own.one);
    for (const own of inner) all.push(own);
  }
  return outermost;
}
