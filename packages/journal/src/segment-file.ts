import { join } from "node:path";
import { toJson } from "@thoughtflow/schema/plain-json";
import { checkFileSize } from "./file-size-limit.ts";
import { bytesTaken, type FileSystem, promised } from "./file-system.ts";
import type { FlowDirectory } from "./flow-directory.ts";
import { encodeFrame } from "./frame.ts";
import {
  closeHeldFile,
  type HeldFile,
  type HeldFileState,
  heldFile,
  stateOfHeldFile,
} from "./held-file.ts";
import { JOURNAL_FOLDER, segmentName } from "./journal-folder.ts";
import { openNewFile } from "./new-file.ts";
import { ownIdentity } from "./process-identity.ts";
import { sweepTemporaryFiles } from "./temporary-files.ts";

/** The segment that a writer appends to. Calls throw what the file system throws. */
export interface SegmentFile {
  /** Paths of all segments that were begun, the oldest first. */
  readonly paths: readonly string[];
  readonly isOpen: boolean;
  /** Opens the segment, and so closes an older one. */
  open(segment: number): void;
  /** False where the file at a segment's path lacks bytes that were written, or is another one, as far as its status tells. */
  isWhole(path: string, status: FileStatus): boolean;
  /** Shows those who can't see this process that it lives: the file's time becomes now. */
  touch(nowMs: number): void;
  /** What has become of the file; `undefined` where none is open. One that is lost is open no more after that. */
  look(): HeldFileState | undefined;
  /** Appends from an offset on; answers how many bytes were taken. */
  write(bytes: Buffer, from: number): Promise<number>;
  writeSync(bytes: Buffer, from: number): number;
  close(): void;
}

/** What the system says of a file, as far as it matters. */
export interface FileStatus {
  readonly size: number;
  readonly ino?: number;
}

interface Segment {
  readonly number: number;
  readonly file: HeldFile;
  /** Bytes that were written. */
  size: number;
}

export function createSegmentFile(
  directory: FlowDirectory,
  writer: string,
  fs: FileSystem,
): SegmentFile {
  const paths: string[] = [];
  const segments = new Map<string, Segment>();
  /** The one that is open. */
  let held: Segment | undefined;
  /** A descriptor that a write in flight uses: closed too early, it could be another file's by then. */
  let busyFd: number | undefined;
  let closeWhenIdle = false;

  function close(): void {
    const closing = held;
    held = undefined;
    if (closing === undefined) return;
    if (closing.file.fd === busyFd) closeWhenIdle = true;
    else closeHeldFile(closing.file, fs);
  }

  function opened(): Segment {
    if (held === undefined) throw Object.assign(new Error("no segment is open"), { code: "EBADF" });
    return held;
  }

  function look(): HeldFileState | undefined {
    if (held === undefined) return undefined;
    const state = stateOfHeldFile(held.file, fs, held.size);
    if (state === "lost") held = undefined;
    return state;
  }

  return {
    paths,
    get isOpen() {
      return held !== undefined;
    },
    open(wanted) {
      if (held !== undefined && held.number >= wanted) return;
      close();
      const folder = directory.make(JOURNAL_FOLDER);
      if (paths.length === 0) {
        for (const swept of [directory.path, folder]) sweepTemporaryFiles(swept, fs);
      }
      const path = join(folder, segmentName(writer, wanted));
      const fd = openNewFile(path, fs);
      held = { number: wanted, file: heldFile(fd, fs), size: 0 };
      paths.push(path);
      segments.set(path, held);
      const head = { writer, segment: wanted, ...ownIdentity() };
      held.size = fs.writeSync(fd, encodeFrame("writer", toJson(head)));
    },
    isWhole(path, { size, ino }) {
      const written = segments.get(path);
      if (written === undefined) return true;
      const { file } = written;
      const isOther = ino !== undefined && file.ino !== undefined && ino !== file.ino;
      return size >= written.size && !isOther;
    },
    touch(nowMs) {
      if (held !== undefined && stateOfHeldFile(held.file, fs) === "open")
        fs.futimesSync(held.file.fd, nowMs / 1000, nowMs / 1000);
    },
    look,
    async write(bytes, from) {
      const segment = opened();
      const { fd } = segment.file;
      checkFileSize(segment.size + bytes.length - from);
      busyFd = fd;
      try {
        const taken = await promised<number>((done) => {
          fs.write(fd, bytes, from, bytes.length - from, null, done);
        });
        segment.size += taken;
        return bytesTaken(taken);
      } finally {
        busyFd = undefined;
        if (closeWhenIdle) fs.closeSync(fd);
        closeWhenIdle = false;
      }
    },
    writeSync(bytes, from) {
      const segment = opened();
      checkFileSize(segment.size + bytes.length - from);
      const taken = fs.writeSync(segment.file.fd, bytes, from, bytes.length - from, null);
      segment.size += taken;
      return bytesTaken(taken);
    },
    close,
  };
}
