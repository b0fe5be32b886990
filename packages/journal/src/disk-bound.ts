import { join } from "node:path";
import { readFileBytes } from "./byte-reader.ts";
import { fileNameOf } from "./file-name.ts";
import { type FileSystem, namesIn, readOr, realFileSystem } from "./file-system.ts";
import { JOURNAL_FOLDER, segmentsIn } from "./journal-folder.ts";
import { createJournalReader } from "./journal-reader.ts";
import { type EndedJournal, endedJournals } from "./orphaned-journals.ts";
import { removeJournal } from "./remove-journal.ts";
import { readSessionList } from "./session-list.ts";
import { partsOf, removeEmptyFolder } from "./session-parts.ts";

/** How much a flow directory may take, and what must stay. */
export interface DiskBoundOptions {
  /** Bytes that documents, pictures, blobs and journals of a flow directory may take. */
  readonly maxBytes: number;
  /** Sessions that stay. */
  readonly inUse?: () => Iterable<string>;
  readonly fs?: FileSystem;
}

/** What was taken away, oldest first. */
export interface RemovedSessions {
  readonly sessions: number;
  readonly bytes: number;
}

/** Files that can only go together. */
interface Group {
  readonly names: Set<string>;
  readonly journals: EndedJournal[];
  bytes: number;
  /** When the last of it was written, wall clock, milliseconds since 1970. */
  lastMs: number;
}

interface MeasuredFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** So much less than allowed is left, or every session that ends would take another one away. */
const KEPT = 0.9;
/** So many files are looked at before the caller may do something else. */
const AT_ONCE = 128;
const BLOBS = "blobs";

/**
 * Takes the oldest sessions out of a flow directory that has grown beyond what is allowed, each with its journals. What a
 * process that still runs may have written to stays, and what is not in a document. Goes on where it is asked to.
 */
export function* keepWithin(
  dir: string,
  { maxBytes, inUse = () => [], fs = realFileSystem }: DiskBoundOptions,
): Generator<void, RemovedSessions> {
  const byName = new Map<string, MeasuredFile[]>();
  let total = 0;
  for (const file of yield* measured(dir, fs)) {
    const name = sessionNameOf(file.path.slice(dir.length + 1));
    if (name === undefined) continue;
    total += file.bytes;
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [file]);
    else known.push(file);
  }
  for (const [n, [name, files]] of [...byName].entries()) {
    if (n % AT_ONCE === AT_ONCE - 1) yield;
    const parts = partsOf(join(dir, name), fs);
    for (const part of yield* measuredFiles(parts, fs)) {
      files.push(part);
      total += part.bytes;
    }
  }
  for (const folder of [BLOBS, JOURNAL_FOLDER])
    for (const { bytes } of yield* measured(join(dir, folder), fs)) total += bytes;
  if (total <= maxBytes) return { sessions: 0, bytes: 0 };
  total -= yield* withoutForeign(byName, fs);
  if (total <= maxBytes) return { sessions: 0, bytes: 0 };

  let [sessions, bytes] = [0, 0];
  const groups = yield* groupsIn(dir, byName, fs);
  for (const group of groups.toSorted((a, b) => a.lastMs - b.lastMs)) {
    if (total - bytes <= KEPT * maxBytes) break;
    if ([...inUse()].some((id) => group.names.has(fileNameOf(id)))) continue;
    for (const name of group.names) {
      for (const { path } of byName.get(name) ?? []) readOr(undefined, () => fs.unlinkSync(path));
      removeEmptyFolder(join(dir, name), fs);
    }
    for (const journal of group.journals) removeJournal(join(dir, JOURNAL_FOLDER), journal, fs);
    for (const name of group.names) byName.delete(name);
    sessions += group.names.size;
    bytes += group.bytes;
    yield;
  }
  return { sessions, bytes: bytes + (yield* removeBlobs(dir, byName, fs)) };
}

/**
 * Leaves out what is no session's: the directory may be one that holds other things as well, a `package.json` or
 * pictures.
 *
 * @returns the bytes of what was left out
 */
function* withoutForeign(
  byName: Map<string, readonly MeasuredFile[]>,
  fs: FileSystem,
): Generator<void, number> {
  let bytes = 0;
  for (const [n, [name, files]] of [...byName].entries()) {
    if (n % AT_ONCE === AT_ONCE - 1) yield;
    const document = files.find(({ path }) => path.endsWith(`${name}.json`));
    if (document !== undefined && isDocument(document.path, fs)) continue;
    byName.delete(name);
    for (const file of files) bytes += file.bytes;
  }
  return bytes;
}

/** How every document begins. */
const DOCUMENT_START = /^\{\s*"schema_version":\s*"[^"]*",\s*"session_id":/;
const DOCUMENT_START_BYTES = 128;

function isDocument(path: string, fs: FileSystem): boolean {
  const bytes = readOr(undefined, () => readFileBytes(path, fs, DOCUMENT_START_BYTES));
  return bytes !== undefined && DOCUMENT_START.test(bytes.toString("latin1"));
}

/** What may go, but for what belongs to processes that run or to journals that are in no document yet. */
function* groupsIn(
  dir: string,
  byName: ReadonlyMap<string, readonly MeasuredFile[]>,
  fs: FileSystem,
): Generator<void, readonly Group[]> {
  const ended = endedJournals(dir, { fs });
  const heldSinceMs = beginOfOthers(dir, ended, fs);
  const groupOf = new Map<string, Group>();
  const kept = new Set<Group>();
  for (const [name, files] of byName) {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const lastMs = Math.max(...files.map(({ modifiedMs }) => modifiedMs));
    const group = { names: new Set([name]), journals: [], bytes, lastMs };
    groupOf.set(name, group);
    if (lastMs >= heldSinceMs) kept.add(group);
  }
  for (const journal of ended) {
    let group: Group = {
      names: new Set(),
      journals: [journal],
      bytes: journal.bytes,
      lastMs: journal.lastSignMs,
    };
    if (!journal.isSettled) kept.add(group);
    for (const name of sessionsOf(dir, journal, fs).map(fileNameOf)) {
      const other = groupOf.get(name) ?? {
        names: new Set([name]),
        journals: [],
        bytes: 0,
        lastMs: 0,
      };
      if (other !== group) group = united(group, other, kept);
      for (const one of group.names) groupOf.set(one, group);
    }
    yield;
  }
  return [...new Set(groupOf.values())].filter((group) => !kept.has(group));
}

function united(one: Group, other: Group, kept: Set<Group>): Group {
  const group = {
    names: new Set([...one.names, ...other.names]),
    journals: [...one.journals, ...other.journals],
    bytes: one.bytes + other.bytes,
    lastMs: Math.max(one.lastMs, other.lastMs),
  };
  if (kept.has(one) || kept.has(other)) kept.add(group);
  return group;
}

function sessionsOf(dir: string, { writer, bytes }: EndedJournal, fs: FileSystem): string[] {
  const listed = readSessionList(join(dir, JOURNAL_FOLDER), writer, bytes, fs);
  if (listed !== undefined) return [...listed];
  const reader = createJournalReader(dir, { filter: (one) => one === writer, fs });
  reader.refreshSync();
  return reader.sessionIds();
}

/** When the first of the processes that still run began its journal: they may go on with what was written since. */
function beginOfOthers(dir: string, ended: readonly EndedJournal[], fs: FileSystem): number {
  const gone = new Set(ended.map(({ writer }) => writer));
  const begins = segmentsIn(dir, fs)
    .filter(({ writer }) => !gone.has(writer))
    .map(({ path }) => readOr(0, () => fs.lstatSync(path).birthtimeMs));
  return Math.min(Number.POSITIVE_INFINITY, ...begins);
}

/** Whoever writes a document writes its blobs just before: what is older than every document is in none. */
function* removeBlobs(
  dir: string,
  byName: ReadonlyMap<string, readonly MeasuredFile[]>,
  fs: FileSystem,
): Generator<void, number> {
  let oldestMs = Number.POSITIVE_INFINITY;
  for (const files of byName.values())
    for (const { modifiedMs } of files) oldestMs = Math.min(oldestMs, modifiedMs);
  let bytes = 0;
  for (const blob of yield* measured(join(dir, BLOBS), fs)) {
    if (blob.modifiedMs >= oldestMs - LONGEST_WRITE_MS) continue;
    readOr(undefined, () => fs.unlinkSync(blob.path));
    bytes += blob.bytes;
  }
  return bytes;
}

const LONGEST_WRITE_MS = 3_600_000;

/** The regular files of a folder. */
function* measured(folder: string, fs: FileSystem): Generator<void, readonly MeasuredFile[]> {
  const paths = namesIn(folder, fs).map((name) => join(folder, name));
  return yield* measuredFiles(paths, fs);
}

function* measuredFiles(
  paths: readonly string[],
  fs: FileSystem,
): Generator<void, readonly MeasuredFile[]> {
  const files: MeasuredFile[] = [];
  for (const [n, path] of paths.entries()) {
    const status = readOr(undefined, () => fs.lstatSync(path));
    if (status?.isFile()) files.push({ path, bytes: status.size, modifiedMs: status.mtimeMs });
    if (n % AT_ONCE === AT_ONCE - 1) yield;
  }
  return files;
}

const SESSION_FILE = /^([^.].*?)(?:\.scores\.jsonl|\.json|\.d2|\.svg)$/;

function sessionNameOf(file: string): string | undefined {
  return SESSION_FILE.exec(file)?.[1];
}
