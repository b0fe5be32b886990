import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { READ } from "./file-flags.ts";
import { bytesTaken, type FileSystem, namesIn, realFileSystem } from "./file-system.ts";
import { createFlowDirectory } from "./flow-directory.ts";
import { openNewFile } from "./new-file.ts";
import { processView } from "./process-identity.ts";
import {
  claimedName,
  parseSpoolFile,
  type SpoolFile,
  type SpoolFileName,
  spoolFileName,
} from "./spool-file-name.ts";
import { sweepTemporaryFiles, temporaryName } from "./temporary-files.ts";

/** Where requests wait on disk, how many and how long. */
export interface SpoolOptions {
  /** The flow directory. */
  readonly dir: string;
  /** The folders in it that lead to the spool, one within the other: `.spool` and one for each destination. */
  readonly folders: readonly string[];
  /** Bytes at most; the oldest requests go first. */
  readonly maxBytes: number;
  readonly maxAgeMillis: number;
  /** Requests that are given up: the spool is full, they are too old, or they can't be read any more. */
  readonly onLoss: (spans: number, reason: string) => void;
  readonly fs?: FileSystem;
  readonly now?: () => number;
  readonly isAlive?: (pid: number) => boolean;
}

/** A request in the spool that nobody else sends while this process holds it. */
export interface SpooledRequest {
  readonly body: Uint8Array;
  readonly spans: number;
  /** It has arrived, or never will: takes it out of the spool. */
  remove(): void;
  /** Gives it back, for another time. */
  release(): void;
}

/**
 * Requests on disk that wait for their receiver, across restarts: one file each, whole or not there, in the form in
 * which it goes over the wire. All calls are synchronous, as the end of a process wants them, and none throws. Several
 * processes may share it: who sends a file has renamed it before.
 */
export interface Spool {
  /** Writes a request; `undefined` when the disk doesn't take it. What comes back is this process's own, as after `take`. */
  add(body: Uint8Array, spans: number): SpooledRequest | undefined;
  /** The oldest request that nobody sends. */
  take(): SpooledRequest | undefined;
  /** Spans that wait, those that others send included. */
  waitingSpans(): number;
}

/** A request that takes longer was left behind by a process that is gone. */
const LONGEST_CLAIM = 120_000;

/** The spool of one destination. */
export function openSpool(options: SpoolOptions): Spool {
  const { dir, folders, maxBytes, maxAgeMillis, onLoss } = options;
  const { fs = realFileSystem, now = Date.now, isAlive = processView().isRunning } = options;
  const folder = join(dir, ...folders);
  const directory = createFlowDirectory(dir, fs);
  const writer = randomBytes(4).toString("hex");
  let last = 0;
  let number = 0;
  sweepTemporaryFiles(folder, fs, now());

  /** What can't be read now waits for another time. */
  function presentNames(): readonly string[] {
    try {
      return namesIn(folder, fs);
    } catch {
      return [];
    }
  }

  function files(): readonly SpoolFile[] {
    const all = presentNames()
      .map(parseSpoolFile)
      .filter((file) => file !== undefined);
    return all.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  function isFree({ claim }: SpoolFile): boolean {
    if (claim === undefined) return true;
    if (claim.writer === writer) return false;
    // In containers, every start has the same process id: that of this process says nothing of an earlier one.
    const isOurs = claim.pid === process.pid;
    return isOurs || Math.abs(now() - claim.claimedAt) > LONGEST_CLAIM || !isAlive(claim.pid);
  }

  function remove(name: string): boolean {
    try {
      fs.unlinkSync(join(folder, name));
      return true;
    } catch {
      return false;
    }
  }

  function rename(from: string, to: string): boolean {
    try {
      fs.renameSync(join(folder, from), join(folder, to));
      return true;
    } catch {
      // Somebody else was faster, or the folder is gone.
      return false;
    }
  }

  function makeRoomFor(bytes: number): void {
    const present = files();
    let total = present.reduce((sum, file) => sum + file.bytes, bytes);
    for (const file of present) {
      const isOld = now() - file.writtenAt > maxAgeMillis;
      if (!isOld && total <= maxBytes) continue;
      if (!isFree(file) || !remove(file.present)) continue;
      total -= file.bytes;
      onLoss(file.spans, isOld ? "they waited too long in the spool" : "the spool is full");
    }
  }

  function held(body: Uint8Array, { name, present, spans }: SpoolFile): SpooledRequest {
    return {
      body,
      spans,
      remove: () => void remove(present),
      release: () => void rename(present, name),
    };
  }

  function write(body: Uint8Array, name: SpoolFileName): SpoolFile {
    for (const depth of folders.keys()) directory.make(join(...folders.slice(0, depth + 1)));
    const final = spoolFileName(name);
    const temporary = join(folder, temporaryName());
    const file = openNewFile(temporary, fs);
    try {
      for (let at = 0; at < body.length; ) {
        at += bytesTaken(fs.writeSync(file, body, at, body.length - at));
      }
    } catch (error) {
      fs.closeSync(file);
      fs.unlinkSync(temporary);
      throw error;
    }
    fs.closeSync(file);
    const present = claimedName(final, { pid: process.pid, writer, claimedAt: now() });
    fs.renameSync(temporary, join(folder, present));
    return { ...name, name: final, present };
  }

  function contentOf(file: SpoolFile, present: string): Buffer | undefined {
    let body: Buffer;
    try {
      body = readWhole(join(folder, present), file.bytes, fs);
    } catch {
      rename(present, file.name);
      return undefined;
    }
    if (crc32(body) === file.checksum) return body;
    // No receiver wants it; the evidence stays, under a name that is none of ours.
    rename(present, `.damaged-${file.name}`);
    onLoss(file.spans, "a file of the spool is damaged");
    return undefined;
  }

  return {
    add(body, spans) {
      const writtenAt = Math.max(now(), last);
      number = writtenAt === last ? number + 1 : 0;
      last = writtenAt;
      if (body.length > maxBytes) return undefined;
      makeRoomFor(body.length);
      try {
        const name = {
          writtenAt,
          number,
          writer,
          spans,
          bytes: body.length,
          checksum: crc32(body),
        };
        return held(body, write(body, name));
      } catch {
        return undefined;
      }
    },
    take() {
      makeRoomFor(0);
      for (const file of files()) {
        if (!isFree(file)) continue;
        const present = claimedName(file.name, { pid: process.pid, writer, claimedAt: now() });
        if (!rename(file.present, present)) continue;
        const body = contentOf(file, present);
        if (body !== undefined) return held(body, { ...file, present });
      }
      return undefined;
    },
    waitingSpans: () => files().reduce((sum, { spans }) => sum + spans, 0),
  };
}

function readWhole(path: string, bytes: number, fs: FileSystem): Buffer {
  const file = fs.openSync(path, READ);
  try {
    const body = Buffer.allocUnsafe(bytes);
    let at = 0;
    while (at < bytes) {
      const taken = fs.readSync(file, body, at, bytes - at, at);
      if (taken === 0) break;
      at += taken;
    }
    return body.subarray(0, at);
  } finally {
    fs.closeSync(file);
  }
}
