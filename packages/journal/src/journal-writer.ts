import { join } from "node:path";
// Not the globals, which a test of the application may have replaced.
import { clearTimeout, setTimeout } from "node:timers";
import type { FlowRecord } from "@thoughtflow/schema";
import { bytesTaken, errorCodeOf, type FileSystem, promised } from "./file-system.ts";
import { encodeFrame } from "./frame.ts";
import { createRecordEncoder } from "./record-encoder.ts";
import { makeJournalFolder, openNewFile, segmentName } from "./segment-file.ts";

/** What happened to the records of a writer. */
export interface JournalCounters {
  readonly appended: number;
  /** Records that the operating system has taken. */
  readonly written: number;
  /** Records lost: the buffer was full, or they could not be told as JSON. */
  readonly dropped: number;
  readonly bytes: number;
  /** Failed calls by code: `ENOSPC`, `EACCES` … */
  readonly failures: Readonly<Record<string, number>>;
}

/** Appends records to the segments of one writer. Nothing here throws. */
export interface JournalWriter {
  readonly writer: string;
  readonly counters: JournalCounters;
  /** Takes a record; it is encoded and written later. Returns about how many bytes it adds. */
  append(record: FlowRecord): number;
  /** Ends when everything appended before is written, or could not be. */
  flush(): Promise<void>;
  /** The same at once, for the end of a process; may write a second time what an unfinished `flush` is writing. */
  flushSync(): void;
  /** Paths of the segments that were begun. */
  segments(): readonly string[];
  /** Frames that are not written yet. */
  buffered(): Buffer;
  /** Writes the rest and takes no more. */
  closeSync(): void;
}

export interface JournalWriterConfig {
  readonly dir: string;
  readonly writer: string;
  readonly fs: FileSystem;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Hears of every failed call. */
  readonly onFailure: (code: string, error: unknown) => void;
}

const FLUSH_AFTER_MS = 100;
const FLUSH_AT_BYTES = 64 * 1024;
/** One write; bounds how long encoding blocks. */
const CHUNK_BYTES = 256 * 1024;
const SEGMENT_BYTES = 64 * 1024 * 1024;
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;
/** So many records wait as they are; more are encoded at once, so that their size is known. */
const MAX_PENDING = 1024;
const RECORD_BYTES = 512;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 5_000;

/** The file is as it was; the same bytes may go to it later. */
const FILE_IS_SOUND: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EAGAIN", "EINTR"]);

/** Frames of some records, on their way to one write. */
interface Chunk {
  readonly frames: Buffer;
  readonly records: number;
  /** The segment that it was encoded for; may grow when a file is given up. */
  segment: number;
  /** How much of it is in the file. */
  written: number;
}

export function createJournalWriter(config: JournalWriterConfig): JournalWriter {
  const { dir, writer, fs, now, onFailure } = config;
  const encoder = createRecordEncoder();
  const failures: Record<string, number> = {};
  const counters = { appended: 0, written: 0, dropped: 0, bytes: 0, failures };
  const paths: string[] = [];

  let pending: FlowRecord[] = [];
  let pendingBytes = 0;
  const queue: Chunk[] = [];
  let queuedBytes = 0;
  /** The segment that is encoded for, and what it has. */
  let segment = 1;
  let segmentBytes = 0;

  let file: { readonly fd: number; readonly segment: number } | undefined;
  /** A descriptor that a write in flight uses: closed too early, it could be another file's by then. */
  let busyFd: number | undefined;
  let closeWhenIdle = false;

  let timer: NodeJS.Timeout | undefined;
  let dueAt = 0;
  let draining: Promise<void> | undefined;
  let retryAt = 0;
  let retryMs = 0;
  let closed = false;

  function append(record: FlowRecord): number {
    counters.appended++;
    if (closed) {
      counters.dropped++;
      return 0;
    }
    const bytes = estimatedBytes(record);
    pending.push(record);
    pendingBytes += bytes;
    if (pending.length >= MAX_PENDING || pendingBytes >= MAX_BUFFERED_BYTES) encodeAll();
    schedule(pendingBytes + queuedBytes >= FLUSH_AT_BYTES ? 0 : FLUSH_AFTER_MS);
    return bytes;
  }

  function schedule(delay: number): void {
    if (draining !== undefined || closed) return;
    const due = Math.max(now() + delay, retryAt);
    if (timer !== undefined && dueAt <= due) return;
    clearTimeout(timer);
    dueAt = due;
    // Never keeps a process alive: its end is for the caller to hear.
    timer = setTimeout(() => void flush(), Math.max(0, due - now())).unref();
  }

  function encodeAll(): void {
    while (pending.length > 0) encodeChunk();
  }

  function encodeChunk(): void {
    if (segmentBytes >= SEGMENT_BYTES) beginSegment();
    const frames: Buffer[] = [];
    let bytes = 0;
    let records = 0;
    let taken = 0;
    for (const record of pending) {
      if (bytes >= CHUNK_BYTES) break;
      taken++;
      pendingBytes -= estimatedBytes(record);
      const encoded = queuedBytes + bytes < MAX_BUFFERED_BYTES ? encode(record) : undefined;
      if (encoded === undefined) {
        counters.dropped++;
        continue;
      }
      records++;
      for (const frame of encoded) {
        frames.push(frame);
        bytes += frame.length;
      }
    }
    pending = pending.slice(taken);
    if (records === 0) return;
    queue.push({ frames: Buffer.concat(frames, bytes), records, segment, written: 0 });
    queuedBytes += bytes;
    segmentBytes += bytes;
  }

  function encode(record: FlowRecord): readonly Buffer[] | undefined {
    try {
      return encoder.encode(record);
    } catch (error) {
      countFailure(error);
      return undefined;
    }
  }

  /** Each segment stands for itself. */
  function beginSegment(): void {
    segment++;
    segmentBytes = 0;
    encoder.forget();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    draining ??= drain().finally(() => {
      draining = undefined;
      if (queue.length > 0 || pending.length > 0) schedule(FLUSH_AFTER_MS);
    });
    return draining;
  }

  async function drain(): Promise<void> {
    try {
      for (let chunk = nextChunk(); chunk !== undefined; chunk = nextChunk()) {
        const { frames, written } = chunk;
        const fd = descriptorFor(chunk);
        const size = await writeWhileBusy(fd, frames, written);
        // A flushSync in between may have done it already.
        if (chunk.written === written) advance(chunk, size);
      }
      retryMs = 0;
    } catch (error) {
      failed(error);
    }
  }

  function nextChunk(): Chunk | undefined {
    if (queue.length === 0 && pending.length > 0) encodeChunk();
    return queue[0];
  }

  async function writeWhileBusy(fd: number, bytes: Buffer, from: number): Promise<number> {
    busyFd = fd;
    try {
      return await promised<number>((done) => {
        fs.write(fd, bytes, from, bytes.length - from, null, done);
      });
    } finally {
      busyFd = undefined;
      if (closeWhenIdle) close(fd);
      closeWhenIdle = false;
    }
  }

  function flushSync(): void {
    encodeAll();
    try {
      for (let chunk = queue[0]; chunk !== undefined; chunk = queue[0]) {
        const { frames, written } = chunk;
        const fd = descriptorFor(chunk);
        advance(chunk, fs.writeSync(fd, frames, written, frames.length - written, null));
      }
      retryMs = 0;
    } catch (error) {
      failed(error);
    }
  }

  function advance(chunk: Chunk, size: number): void {
    counters.bytes += bytesTaken(size);
    chunk.written += size;
    if (chunk.written < chunk.frames.length || queue[0] !== chunk) return;
    counters.written += chunk.records;
    queuedBytes -= chunk.frames.length;
    queue.shift();
  }

  function descriptorFor(chunk: Chunk): number {
    // Somebody deleted the directory: go on in a new one.
    if (file !== undefined && fs.fstatSync(file.fd).nlink === 0) giveUpFile();
    if (file !== undefined && file.segment >= chunk.segment) return file.fd;
    closeFile();
    const path = join(makeJournalFolder(dir, fs), segmentName(writer, chunk.segment));
    const fd = openNewFile(path, fs);
    file = { fd, segment: chunk.segment };
    paths.push(path);
    counters.bytes += fs.writeSync(fd, writerFrame(writer, chunk.segment));
    return fd;
  }

  /** What is queued goes, whole, to a new file, and what comes then needs nothing of the old one. */
  function giveUpFile(): void {
    closeFile();
    beginSegment();
    for (const chunk of queue) {
      chunk.segment = segment;
      chunk.written = 0;
    }
  }

  function closeFile(): void {
    const fd = file?.fd;
    file = undefined;
    if (fd === undefined) return;
    if (fd === busyFd) closeWhenIdle = true;
    else close(fd);
  }

  function close(fd: number): void {
    try {
      fs.closeSync(fd);
    } catch (error) {
      countFailure(error);
    }
  }

  function failed(error: unknown): void {
    const code = countFailure(error);
    if (code === "EEXIST" || (file !== undefined && !FILE_IS_SOUND.has(code))) giveUpFile();
    retryMs = Math.min(LAST_RETRY_MS, Math.max(FIRST_RETRY_MS, retryMs * 2));
    retryAt = now() + retryMs;
  }

  function countFailure(error: unknown): string {
    const code = errorCodeOf(error);
    failures[code] = (failures[code] ?? 0) + 1;
    onFailure(code, error);
    return code;
  }

  return {
    writer,
    counters,
    append,
    flush,
    flushSync,
    segments: () => paths,
    buffered() {
      encodeAll();
      return Buffer.concat(queue.map((chunk) => chunk.frames));
    },
    closeSync() {
      flushSync();
      for (const chunk of queue) counters.dropped += chunk.records;
      queue.length = 0;
      queuedBytes = 0;
      closed = true;
      clearTimeout(timer);
      closeFile();
    },
  };
}

function writerFrame(writer: string, segment: number): Buffer {
  return encodeFrame("writer", JSON.stringify({ writer, segment, pid: process.pid }));
}

/** About what a record adds. Of a list only the last piece counts, since the others are mostly known. */
function estimatedBytes(record: FlowRecord): number {
  let length = RECORD_BYTES;
  if ("content" in record && record.content !== undefined) {
    for (const text of Object.values(record.content)) {
      length += typeof text === "string" ? text.length : (text.at(-1)?.length ?? 0);
    }
  }
  return length;
}
