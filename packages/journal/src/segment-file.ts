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
import { identityOf } from "./process-identity.ts";
import { sweepTemporaryFiles } from "./temporary-files.ts";

/** The segment that a writer appends to. Calls throw what the file system throws. */
export interface SegmentFile {
  /** Paths of all segments that were begun, the oldest first. */
  readonly paths: readonly string[];
  readonly isOpen: boolean;
  /** Opens the segment, and so closes an older one. */
  open(segment: number): void;
  /** Shows those who can't see this process that it lives: the file's time becomes now. */
  touch(nowMs: number): void;
  /** What has become of the file; `undefined` where none is open. One that is lost is open no more after that. */
  look(): HeldFileState | undefined;
  /** Appends from an offset on; answers how many bytes were taken. */
  write(bytes: Buffer, from: number): Promise<number>;
  writeSync(bytes: Buffer, from: number): number;
  close(): void;
}

export function createSegmentFile(
  directory: FlowDirectory,
  writer: string,
  fs: FileSystem,
): SegmentFile {
  const paths: string[] = [];
  let held: HeldFile | undefined;
  let segment = 0;
  let size = 0;
  /** A descriptor that a write in flight uses: closed too early, it could be another file's by then. */
  let busyFd: number | undefined;
  let closeWhenIdle = false;

  function close(): void {
    const closing = held;
    held = undefined;
    if (closing === undefined) return;
    if (closing.fd === busyFd) closeWhenIdle = true;
    else closeHeldFile(closing, fs);
  }

  function descriptor(): number {
    if (held === undefined) throw Object.assign(new Error("no segment is open"), { code: "EBADF" });
    return held.fd;
  }

  function look(): HeldFileState | undefined {
    if (held === undefined) return undefined;
    const state = stateOfHeldFile(held, fs, size);
    if (state === "lost") held = undefined;
    return state;
  }

  return {
    paths,
    get isOpen() {
      return held !== undefined;
    },
    open(wanted) {
      if (held !== undefined && segment >= wanted) return;
      close();
      const folder = directory.make(JOURNAL_FOLDER);
      if (paths.length === 0) {
        for (const swept of [directory.path, folder]) sweepTemporaryFiles(swept, fs);
      }
      const path = join(folder, segmentName(writer, wanted));
      const fd = openNewFile(path, fs);
      segment = wanted;
      paths.push(path);
      held = heldFile(fd, fs);
      const head = { writer, segment, ...identityOf(process.pid) };
      size = fs.writeSync(fd, encodeFrame("writer", toJson(head)));
    },
    touch(nowMs) {
      if (held !== undefined && stateOfHeldFile(held, fs) === "open")
        fs.futimesSync(held.fd, nowMs / 1000, nowMs / 1000);
    },
    look,
    async write(bytes, from) {
      const writing = descriptor();
      checkFileSize(size + bytes.length - from);
      busyFd = writing;
      try {
        const taken = await promised<number>((done) => {
          fs.write(writing, bytes, from, bytes.length - from, null, done);
        });
        size += taken;
        return bytesTaken(taken);
      } finally {
        busyFd = undefined;
        if (closeWhenIdle) fs.closeSync(writing);
        closeWhenIdle = false;
      }
    },
    writeSync(bytes, from) {
      const writing = descriptor();
      checkFileSize(size + bytes.length - from);
      const taken = fs.writeSync(writing, bytes, from, bytes.length - from, null);
      size += taken;
      return bytesTaken(taken);
    },
    close,
  };
}
