import { join } from "node:path";
// Not the globals, which a test of the application may have replaced.
import { clearTimeout, setTimeout } from "node:timers";
import { fromJson, toJson } from "@thoughtflow/schema/plain-json";
import { readFileBytes } from "./byte-reader.ts";
import { APPEND } from "./file-flags.ts";
import { bytesTaken, type FileSystem, fileSizeOf, realFileSystem } from "./file-system.ts";
import type { FlowDirectory } from "./flow-directory.ts";
import { JOURNAL_FOLDER } from "./journal-folder.ts";
import { writeDocumentSync } from "./write-document.ts";

/** The span of the call that gave a response. */
export interface ResponsePlace {
  readonly traceId: string;
  readonly spanId: string;
  readonly sessionId: string;
  /** Whether a span has told what the response used. */
  readonly isCounted: boolean;
}

/**
 * Which span gave each of the latest responses of a flow directory, whichever process made it, so that another one can
 * go on from it. A file beside the journals that all processes append to: one line a response, the newest line of an id
 * holds. It is only a way to find what the journals hold; where it fails, a link is missing. Nothing here throws.
 */
export interface ResponseIndex {
  /** Takes note of a response; on disk within 100 ms. */
  add(responseId: string, place: ResponsePlace): void;
  find(responseId: string): ResponsePlace | undefined;
  /** Writes what waits. */
  flushSync(): void;
}

/** Where the responses that processes have told are noted, and how many. */
export interface ResponseIndexOptions {
  readonly directory: FlowDirectory;
  readonly fs?: FileSystem;
  /** Above it the file becomes the older one of two, in bytes. Default 2 MiB, some 13,000 responses. */
  readonly limit?: number;
}

const FILE = "responses.jsonl";
const OLDER_FILE = "responses.older.jsonl";
const FLUSH_AFTER_MS = 100;
const MOST_BYTES = 2 * 1024 * 1024;

/** The index of one flow directory. */
export function createResponseIndex({
  directory,
  fs = realFileSystem,
  limit = MOST_BYTES,
}: ResponseIndexOptions): ResponseIndex {
  let waiting = new Map<string, ResponsePlace>();
  let timer: NodeJS.Timeout | undefined;

  function flushSync(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size === 0) return;
    const lines = Buffer.from([...waiting].map(([id, place]) => lineOf(id, place)).join(""));
    waiting = new Map();
    try {
      const folder = directory.make(JOURNAL_FOLDER);
      const path = join(folder, FILE);
      append(path, lines, fs);
      if (fileSizeOf(path, fs) > limit) fs.renameSync(path, join(folder, OLDER_FILE));
    } catch {
      // The journal beside it tells of a directory that takes nothing.
    }
  }

  return {
    add(responseId, place) {
      waiting.set(responseId, place);
      timer ??= setTimeout(flushSync, FLUSH_AFTER_MS).unref();
    },
    find(responseId) {
      const fresh = waiting.get(responseId);
      if (fresh !== undefined) return fresh;
      const folder = join(directory.path, JOURNAL_FOLDER);
      try {
        return (
          placeIn(join(folder, FILE), responseId, fs) ??
          placeIn(join(folder, OLDER_FILE), responseId, fs)
        );
      } catch {
        return undefined;
      }
    },
    flushSync,
  };
}

/** Takes the responses of these sessions out of a flow directory. */
export function eraseResponses(dir: string, sessionIds: ReadonlySet<string>): void {
  const folder = join(dir, JOURNAL_FOLDER);
  for (const name of [FILE, OLDER_FILE]) {
    const lines = readFileBytes(join(folder, name), realFileSystem).toString("utf8").split("\n");
    const kept = lines.filter((line) => !sessionIds.has(placeFrom(line)?.sessionId ?? ""));
    if (kept.length < lines.length) writeDocumentSync(folder, name, [kept.join("\n")]);
  }
}

/** A line begins with its line break, so that one that was cut off spoils no other. */
function lineOf(
  responseId: string,
  { traceId, spanId, sessionId, isCounted }: ResponsePlace,
): string {
  return `\n${toJson([responseId, traceId, spanId, sessionId, isCounted])}`;
}

/** One call, so that the lines of several processes don't mix. */
function append(path: string, lines: Buffer, fs: FileSystem): void {
  const fd = fs.openSync(path, APPEND, 0o600);
  try {
    bytesTaken(fs.writeSync(fd, lines));
  } finally {
    fs.closeSync(fd);
  }
}

function placeIn(path: string, responseId: string, fs: FileSystem): ResponsePlace | undefined {
  const bytes = readFileBytes(path, fs);
  const start = bytes.lastIndexOf(`\n[${toJson(responseId)},`);
  if (start < 0) return undefined;
  const end = bytes.indexOf("\n", start + 1);
  return placeFrom(bytes.toString("utf8", start, end < 0 ? bytes.length : end));
}

function placeFrom(line: string): ResponsePlace | undefined {
  const [, traceId, spanId, sessionId, isCounted] = valuesOf(line);
  if (typeof traceId !== "string" || typeof spanId !== "string") return undefined;
  if (typeof sessionId !== "string") return undefined;
  return { traceId, spanId, sessionId, isCounted: isCounted === true };
}

/** None of a line that was cut off. */
function valuesOf(line: string): readonly unknown[] {
  try {
    const values: unknown = fromJson(line);
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}
