import { join } from "node:path";
import { checkFileSize } from "./file-size-limit.ts";
import {
  bytesTaken,
  errorCodeOf,
  type FileSystem,
  promised,
  realFileSystem,
} from "./file-system.ts";
import { makeDirectory } from "./make-directory.ts";
import { openNewFile } from "./new-file.ts";
import { temporaryName } from "./temporary-files.ts";
import { MOST_BYTES_A_CHARACTER } from "./utf8.ts";

/** How sure a written document is, and whether it may take the place of the one that is there. */
export interface WriteDocumentOptions {
  /** Survive a power cut, too: the file's bytes reach the disk before it gets its name. Default false. */
  readonly fsync?: boolean;
  /** Asked when the new file is complete: false leaves the old one in its place, with the code `ESTALE`. */
  readonly mayReplace?: () => boolean;
  /** Of `temporaryMark`, for the name that the file has until it is complete. Default: one of its own. */
  readonly mark?: string | undefined;
  readonly fs?: FileSystem;
}

/** What came of it; after a failure the file is as it was. */
export type WriteResult =
  | { readonly written: true; readonly bytes: number }
  | { readonly written: false; readonly code: string };

/** A write has about so many: more where a single text is longer. */
const BLOCK_BYTES = 256 * 1024;
/** Characters: a chunk may be as long as a text can be. */
const LONGEST_PIECE = 1024 * 1024;

/**
 * Writes a file of the flow directory: a reader sees the old file or the new one, never a part. Readable by the user
 * alone; never writes through a link. Yields to the event loop between blocks. Never rejects.
 */
export async function writeDocument(
  dir: string,
  fileName: string,
  chunks: Iterable<string | Uint8Array>,
  options: WriteDocumentOptions = {},
): Promise<WriteResult> {
  const { fsync = false, mayReplace = () => true, mark, fs = realFileSystem } = options;
  const temporary = join(dir, temporaryName(mark));
  let fd: number | undefined;
  let bytes = 0;
  try {
    makeDirectory(dir, fs);
    fd = openNewFile(temporary, fs);
    const descriptor = fd;
    for (const block of blocksOf(chunks)) {
      checkFileSize(bytes + block.length);
      for (let from = 0; from < block.length; ) {
        const size = await promised<number>((done) => {
          fs.write(descriptor, block, from, block.length - from, null, done);
        });
        from += bytesTaken(size);
      }
      bytes += block.length;
    }
    if (fsync) await promised<void>((done) => fs.fsync(descriptor, done));
    fd = undefined;
    await promised<void>((done) => fs.close(descriptor, done));
    if (!mayReplace()) throw stale();
    await promised<void>((done) => fs.rename(temporary, join(dir, fileName), done));
    return { written: true, bytes };
  } catch (error) {
    return abandon(temporary, fd, error, fs);
  }
}

/** The same at once, for the end of a process. */
export function writeDocumentSync(
  dir: string,
  fileName: string,
  chunks: Iterable<string | Uint8Array>,
  options: WriteDocumentOptions = {},
): WriteResult {
  try {
    return placeDocument(prepareDocumentSync(dir, fileName, chunks, options), options);
  } catch (error) {
    return { written: false, code: errorCodeOf(error) };
  }
}

/** A whole file that waits under another name to be put in its place. Plain data. */
export interface PreparedDocument {
  readonly temporary: string;
  readonly path: string;
  readonly bytes: number;
}

/** Writes a file but leaves the old one in its place; throws what the file system throws, and leaves nothing then. */
export function prepareDocumentSync(
  dir: string,
  fileName: string,
  chunks: Iterable<string | Uint8Array>,
  options: WriteDocumentOptions = {},
): PreparedDocument {
  const { fsync = false, mark, fs = realFileSystem } = options;
  const temporary = join(dir, temporaryName(mark));
  let fd: number | undefined;
  let bytes = 0;
  try {
    makeDirectory(dir, fs);
    fd = openNewFile(temporary, fs);
    for (const block of blocksOf(chunks)) {
      checkFileSize(bytes + block.length);
      for (let from = 0; from < block.length; ) {
        from += bytesTaken(fs.writeSync(fd, block, from, block.length - from, null));
      }
      bytes += block.length;
    }
    if (fsync) fs.fsyncSync(fd);
    const descriptor = fd;
    fd = undefined;
    fs.closeSync(descriptor);
    return { temporary, path: join(dir, fileName), bytes };
  } catch (error) {
    abandon(temporary, fd, error, fs);
    throw error;
  }
}

/** Puts a prepared file in its place. Never throws. */
export function placeDocument(
  { temporary, path, bytes }: PreparedDocument,
  { mayReplace = () => true, fs = realFileSystem }: WriteDocumentOptions = {},
): WriteResult {
  try {
    if (!mayReplace()) throw stale();
    fs.renameSync(temporary, path);
    return { written: true, bytes };
  } catch (error) {
    return abandon(temporary, undefined, error, fs);
  }
}

/** Takes away a prepared file that will not get its place, where it has not got it already. Never throws. */
export function discardDocument(
  { temporary }: PreparedDocument,
  fs: FileSystem = realFileSystem,
): void {
  remove(temporary, undefined, fs);
}

function stale(): Error {
  return Object.assign(new Error("somebody else writes it"), { code: "ESTALE" });
}

/** Each block is good until the next one: they share their memory. Answers each chunk with its bytes. */
function* blocksOf(chunks: Iterable<string | Uint8Array>): Generator<Uint8Array> {
  let memory: Buffer = Buffer.alloc(0);
  let used = 0;
  let size = 0;
  const source = chunks[Symbol.iterator]();
  try {
    for (let next = source.next(); next.done !== true; next = source.next(size)) {
      const chunk = next.value;
      if (typeof chunk !== "string") {
        if (used > 0) yield memory.subarray(0, used);
        used = 0;
        size = chunk.length;
        yield chunk;
        continue;
      }
      size = 0;
      for (let from = 0; from < chunk.length; ) {
        const piece = pieceFrom(chunk, from);
        const most = piece.length * MOST_BYTES_A_CHARACTER;
        if (used + most > memory.length) {
          if (used > 0) yield memory.subarray(0, used);
          used = 0;
          if (most > memory.length) memory = Buffer.allocUnsafeSlow(Math.max(most, BLOCK_BYTES));
        }
        const written = memory.write(piece, used);
        size += written;
        used += written;
        from += piece.length;
      }
    }
    if (used > 0) yield memory.subarray(0, used);
  } finally {
    source.return?.();
  }
}

function pieceFrom(text: string, from: number): string {
  if (from === 0 && text.length <= LONGEST_PIECE) return text;
  const end = from + LONGEST_PIECE;
  return text.slice(from, isFirstHalf(text, end - 1) ? end - 1 : end);
}

/** Of a character that takes two code units: without the other half it would not be written as it is. */
function isFirstHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}

function abandon(
  temporary: string,
  fd: number | undefined,
  error: unknown,
  fs: FileSystem,
): WriteResult {
  remove(temporary, fd, fs);
  return { written: false, code: errorCodeOf(error) };
}

function remove(temporary: string, fd: number | undefined, fs: FileSystem): void {
  for (const tidy of [() => fd !== undefined && fs.closeSync(fd), () => fs.unlinkSync(temporary)]) {
    try {
      tidy();
    } catch {
      // The sweep finds it later.
    }
  }
}
