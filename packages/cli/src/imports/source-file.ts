import { open, readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";

/** A file that an import reads; its text need not fit into memory when it is read by lines. */
export interface SourceFile {
  /** As people are told of it. */
  readonly name: string;
  /** Absent for stdin. */
  readonly path?: string;
  /** All of it, without a byte order mark. */
  text(): Promise<string>;
  /** Line by line, without the ends of lines; empty lines are left out. */
  lines(): AsyncIterable<SourceLine>;
}

export interface SourceLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** False for a last line that no end of line follows. */
  readonly ended: boolean;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SAYS_SOMETHING = /\S/;
const CHUNK_BYTES = 1024 * 1024;
const BYTE_ORDER_MARK = /^\uFEFF/;

/** @param onRead Hears how many bytes were read that had not been read before. */
export function sourceFile(
  path: string,
  name: string,
  onRead: (bytes: number) => void = () => {},
): SourceFile {
  let known = 0;
  const readTo = (end: number): void => {
    if (end > known) onRead(end - known);
    known = Math.max(known, end);
  };
  async function* chunks(): AsyncGenerator<Buffer> {
    const memory = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    const file = await open(path);
    try {
      let end = 0;
      for (let size = -1; size !== 0; ) {
        size = (await file.read(memory, 0, CHUNK_BYTES)).bytesRead;
        yield memory.subarray(0, size);
        // What was made of it is done.
        end += size;
        readTo(end);
      }
    } finally {
      await file.close();
    }
  }
  return {
    name,
    path,
    async text() {
      const bytes = await readFile(path);
      readTo(bytes.length);
      return bytes.toString("utf8").replace(BYTE_ORDER_MARK, "");
    },
    lines: () => linesOf(chunks()),
  };
}

export function sourceText(text: string, name: string): SourceFile {
  const plain = text.replace(BYTE_ORDER_MARK, "");
  return { name, text: async () => plain, lines: () => linesOf([Buffer.from(plain)]) };
}

/** The files below a directory, sorted by path; links are not followed. */
export async function filesBelow(
  directory: string,
  takes: (name: string) => boolean,
): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => takes(relative(directory, path)))
    .sort();
}

export async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path)).isDirectory();
}

/** @param chunks Each good until the next one: they may share their memory. */
async function* linesOf(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<SourceLine> {
  let number = 0;
  let rest: Buffer[] = [];
  const lineOf = (bytes: Buffer, ended: boolean): SourceLine | undefined => {
    const length = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length;
    const text = bytes.toString("utf8", 0, length);
    const plain = ++number === 1 ? text.replace(BYTE_ORDER_MARK, "") : text;
    return SAYS_SOMETHING.test(plain) ? { number, text: plain, ended } : undefined;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (
      let end = chunk.indexOf(NEWLINE);
      end !== -1;
      start = end + 1, end = chunk.indexOf(NEWLINE, start)
    ) {
      const piece = chunk.subarray(start, end);
      const line = lineOf(rest.length === 0 ? piece : Buffer.concat([...rest, piece]), true);
      rest = [];
      if (line !== undefined) yield line;
    }
    if (start < chunk.length) rest.push(Buffer.from(chunk.subarray(start)));
  }
  const last = rest.length === 0 ? undefined : lineOf(Buffer.concat(rest), false);
  if (last !== undefined) yield last;
}
