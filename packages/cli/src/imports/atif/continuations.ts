import { dirname, resolve } from "node:path";
import { membersOf, type PlainObject, textOf, valueOrText } from "../plain-values.ts";
import { type SourceFile, sourceFile } from "../source-file.ts";
import { isFileBelow } from "./referred-files.ts";

/** Files of which one goes on where the one before ends, as that says; most are alone. */
export type Continued = readonly SourceFile[];

const FIELD = "continued_trajectory_ref";
/** Harbor's agents say by it, in `agent.extra`, which file after the first a trajectory is. */
const INDEX = "continuation_index";

/** What a file says of its place in a row. */
interface Place {
  readonly file: SourceFile;
  /** What goes on from it. */
  readonly next: string | undefined;
  /** Of its session, if it says so. */
  readonly id: string | undefined;
  /** That of the session which it goes on from, where it says that it does. */
  readonly before: string | undefined;
}

/**
 * The files in such rows, each once; what goes round in a circle begins with any of them. Where no file has the name that one goes
 * on in, it was renamed: it is the only one that says it goes on from that session.
 */
export async function continuedFiles(files: readonly SourceFile[]): Promise<readonly Continued[]> {
  const byPath = new Map(files.map((file) => [pathOf(file), file]));
  const next = new Map<SourceFile, SourceFile>();
  const places: Place[] = [];
  for (const file of files) places.push(await placeOf(file));
  const renamed: Place[] = [];
  for (const place of places) {
    const { file, next: named } = place;
    if (named === undefined) continue;
    const there = byPath.get(resolve(dirname(pathOf(file)), named));
    if (there === undefined) renamed.push(place);
    else if (there !== file) next.set(file, there);
  }
  const named = new Set(next.values());
  const loose = places.filter(({ file }) => !named.has(file));
  const followers = filesBy(loose, ({ before }) => before);
  for (const [id, [file, another]] of filesBy(renamed, (place) => place.id)) {
    const [there, third] = followers.get(id) ?? [];
    if (another === undefined && there !== undefined && third === undefined) next.set(file, there);
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

type SomeFiles = [SourceFile, ...SourceFile[]];

/** By what they say; those that say nothing are left out. */
function filesBy(
  places: readonly Place[],
  said: (place: Place) => string | undefined,
): ReadonlyMap<string, SomeFiles> {
  const files = new Map<string, SomeFiles>();
  for (const place of places) {
    const words = said(place);
    if (words === undefined) continue;
    const same = files.get(words);
    if (same === undefined) files.set(words, [place.file]);
    else same.push(place.file);
  }
  return files;
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
  return (await placeOf(file)).next;
}

async function placeOf(file: SourceFile): Promise<Place> {
  const text = await file.text().catch(() => "");
  const says = text.includes(`"${FIELD}"`) || text.includes(`"${INDEX}"`);
  const told = says ? membersOf(valueOrText(text)) : {};
  const id = textOf(told["session_id"]);
  return { file, next: textOf(told[FIELD]), id, before: sessionBefore(told, id) };
}

/** `run-cont-2` goes on from `run-cont-1`, and that from `run`, if they are counted so. */
function sessionBefore(told: PlainObject, id: string | undefined): string | undefined {
  const index = membersOf(membersOf(told["agent"])["extra"])[INDEX];
  const end = `-cont-${index}`;
  if (id === undefined || typeof index !== "number" || !id.endsWith(end)) return undefined;
  const base = id.slice(0, -end.length);
  return index === 1 ? base : `${base}-cont-${index - 1}`;
}

function pathOf({ path, name }: SourceFile): string {
  return resolve(path ?? name);
}
