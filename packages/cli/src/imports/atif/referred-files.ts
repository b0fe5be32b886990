import { dirname, relative, resolve } from "node:path";
import { jsonOf } from "../json-of.ts";
import {
  isObject,
  listOf,
  membersOf,
  type PlainObject,
  textOf,
  valueOrText,
} from "../plain-values.ts";
import { type SourceFile, sourceFile } from "../source-file.ts";

/** A sub-agent's trajectory that stands in a file of its own. */
interface Referred {
  /** What the reference calls it. */
  readonly id: string;
  /** Absolute. */
  readonly path: string;
}

/** The references of a document to files of the same directory, or below it; nothing else is looked at. */
function referredBy(trajectory: PlainObject, path: string): readonly Referred[] {
  const directory = dirname(path);
  const refs = listOf(trajectory["steps"])
    .flatMap((step) => listOf(membersOf(membersOf(step)["observation"])["results"]))
    .flatMap((result) => listOf(membersOf(result)["subagent_trajectory_ref"]))
    .map(membersOf);
  const own = refs.flatMap(({ trajectory_id, trajectory_path }) => {
    const named = textOf(trajectory_path);
    if (named === undefined) return [];
    const there = resolve(directory, named);
    const isBelow = there !== path && !relative(directory, there).startsWith("..");
    return isBelow ? [{ id: textOf(trajectory_id) ?? named, path: there }] : [];
  });
  return [...own, ...embeddedIn(trajectory).flatMap((inner) => referredBy(inner, path))];
}

/** The files that a file refers to, and those that they refer to: absolute paths. */
export async function pathsReferredBy(file: SourceFile): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  let files = [file];
  while (files.length > 0) {
    const texts = await Promise.all(
      files.map(async (one) => [one.path ?? "", await one.text().catch(() => "")] as const),
    );
    const refs = texts
      .filter(([path, text]) => path !== "" && text.includes('"trajectory_path"'))
      .flatMap(([path, text]) => referredBy(membersOf(valueOrText(text)), resolve(path)))
      .filter(({ path }) => !found.has(path));
    for (const { path } of refs) found.add(path);
    files = refs.map(({ path }) => sourceFile(path, path));
  }
  return found;
}

/** The trajectory with those embedded that it refers to by their files; each file once. */
export async function withReferred(
  trajectory: PlainObject,
  path: string,
  files: ReadonlyMap<string, SourceFile>,
  read: Set<string>,
): Promise<PlainObject> {
  const inner: PlainObject[] = [];
  for (const one of embeddedIn(trajectory)) inner.push(await withReferred(one, path, files, read));
  for (const { id, path: there } of referredBy(
    { ...trajectory, subagent_trajectories: [] },
    path,
  )) {
    const file = files.get(there);
    if (file === undefined || read.has(there)) continue;
    read.add(there);
    const own = { ...membersOf(jsonOf(await file.text())), trajectory_id: id };
    inner.push(await withReferred(own, there, files, read));
  }
  return inner.length === 0 ? trajectory : { ...trajectory, subagent_trajectories: inner };
}

export function embeddedIn(trajectory: PlainObject): readonly PlainObject[] {
  return listOf(trajectory["subagent_trajectories"]).filter(isObject);
}
