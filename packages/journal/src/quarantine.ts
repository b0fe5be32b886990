import { basename, dirname, join } from "node:path";
import { readFileBytes } from "./byte-reader.ts";
import { bytesTaken, errorCodeOf, type FileSystem, fileSizeOf } from "./file-system.ts";
import type { FlowDirectory } from "./flow-directory.ts";
import { type Damage, scanFrames } from "./frame.ts";
import { openNewFile } from "./new-file.ts";
import { partsNamedIn } from "./session-parts.ts";

/** Where what can't be read is kept. */
const QUARANTINE_FOLDER = ".quarantine";

/** Bytes of a journal that are no record: the torn end of a killed process, or somebody else's. */
export interface QuarantinedBytes {
  /** The copy. The journal itself stays as it is. */
  readonly path: string;
  readonly bytes: number;
}

/** Keeps a copy of all damage in a segment, for whoever wants to know what was there. Throws what the file system throws. */
export function quarantineDamage(
  directory: FlowDirectory,
  segment: string,
  fs: FileSystem,
): readonly QuarantinedBytes[] {
  const bytes = readFileBytes(segment, fs);
  return damageIn(bytes).map(({ start, end }) => {
    const folder = directory.make(QUARANTINE_FOLDER);
    const path = join(folder, `${basename(segment)}.${start}-${end}`);
    writeOnce(path, bytes.subarray(start, end), fs);
    return { path, bytes: end - start };
  });
}

/**
 * Moves a document out of its place, for whoever wants to know what it said, and copies its parts beside it: those may be of the
 * document that comes in its place, too. Throws what the file system throws.
 *
 * @returns where it is now: `<when it was written, ms since 1970>-<its name>`
 */
export function quarantineDocument(directory: FlowDirectory, path: string, fs: FileSystem): string {
  const place = join(
    directory.make(QUARANTINE_FOLDER),
    `${Math.trunc(fs.lstatSync(path).mtimeMs)}-${basename(path)}`,
  );
  for (const part of partsNamedIn(path, fs)) {
    const there = join(dirname(path), part);
    if (fileSizeOf(there, fs) === 0) continue;
    const folder = directory.make(join(QUARANTINE_FOLDER, dirname(part)));
    fs.copyFileSync(there, join(folder, basename(part)));
  }
  fs.renameSync(path, place);
  return place;
}

function damageIn(bytes: Buffer): readonly Damage[] {
  const { end, damaged } = scanFrames(bytes, () => {});
  return end < bytes.length ? [...damaged, { start: end, end: bytes.length }] : damaged;
}

function writeOnce(path: string, bytes: Buffer, fs: FileSystem): void {
  let fd: number;
  try {
    fd = openNewFile(path, fs);
  } catch (error) {
    // Somebody has kept them before.
    if (errorCodeOf(error) === "EEXIST") return;
    throw error;
  }
  try {
    for (let from = 0; from < bytes.length; ) {
      from += bytesTaken(fs.writeSync(fd, bytes, from, bytes.length - from, null));
    }
  } finally {
    fs.closeSync(fd);
  }
}
