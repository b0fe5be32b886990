import { type FileSystem, fileSizeOf, readOr } from "./file-system.ts";

/** Reads stretches of journal files; short or empty when they are not there any more. Throws as `readOr` does. */
export interface ByteReader {
  read(path: string, start: number, end: number): Buffer;
  close(): void;
}

/** What `work` makes of a reader that keeps files open until then. */
export function withFileReader<T>(fs: FileSystem, work: (reader: ByteReader) => T): T {
  const reader = createFileReader(fs);
  try {
    return work(reader);
  } finally {
    reader.close();
  }
}

/** All of a regular file, or so many bytes of its beginning. */
export function readFileBytes(path: string, fs: FileSystem, most?: number): Buffer {
  const size = fileSizeOf(path, fs);
  return withFileReader(fs, ({ read }) => read(path, 0, Math.min(size, most ?? size)));
}

/** Keeps the files open that it has read from, until it is closed. */
export function createFileReader(fs: FileSystem): ByteReader {
  const descriptors = new Map<string, number>();
  return {
    read(path, start, end) {
      return readOr(Buffer.alloc(0), () => {
        const fd = descriptors.get(path) ?? fs.openSync(path, "r");
        descriptors.set(path, fd);
        const bytes = Buffer.allocUnsafe(end - start);
        return bytes.subarray(0, fs.readSync(fd, bytes, 0, bytes.length, start));
      });
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
