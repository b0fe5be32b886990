import type { FileSystem } from "./file-system.ts";

/** Reads stretches of journal files; short or empty when they are not there any more. */
export interface ByteReader {
  read(path: string, start: number, end: number): Buffer;
  close(): void;
}

/** Keeps the files open that it has read from, until it is closed. */
export function createFileReader(fs: FileSystem): ByteReader {
  const descriptors = new Map<string, number>();
  return {
    read(path, start, end) {
      try {
        const fd = descriptors.get(path) ?? fs.openSync(path, "r");
        descriptors.set(path, fd);
        const bytes = Buffer.allocUnsafe(end - start);
        return bytes.subarray(0, fs.readSync(fd, bytes, 0, bytes.length, start));
      } catch {
        return Buffer.alloc(0);
      }
    },
    close() {
      for (const fd of descriptors.values()) {
        try {
          fs.closeSync(fd);
        } catch {
          // It was open for reading: nothing is lost.
        }
      }
    },
  };
}

/** The same over bytes that somebody holds. */
export function createMemoryReader(bytes: Buffer): ByteReader {
  return { read: (_, start, end) => bytes.subarray(start, end), close() {} };
}
