import * as nodeFileSystem from "node:fs";

/** The calls of `node:fs` that this package makes; tests pass one that fails. */
export type FileSystem = Pick<
  typeof nodeFileSystem,
  | "chmodSync"
  | "close"
  | "closeSync"
  | "copyFileSync"
  | "fchmodSync"
  | "fstatSync"
  | "fsync"
  | "fsyncSync"
  | "futimesSync"
  | "lstatSync"
  | "mkdirSync"
  | "open"
  | "openSync"
  | "read"
  | "readSync"
  | "readFileSync"
  | "readdirSync"
  | "realpathSync"
  | "rename"
  | "renameSync"
  | "rmdirSync"
  | "statSync"
  | "unlink"
  | "unlinkSync"
  | "write"
  | "writeSync"
>;

/** The real one. */
export const realFileSystem: FileSystem = nodeFileSystem;

/** `ENOSPC`, `EACCES` … of a failed call, else the error's name. */
export function errorCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return "UNKNOWN";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/** One callback call as a promise. Where all is well, Node says `null`, and Deno nothing. */
export function promised<T>(
  call: (done: (error: Error | null | undefined, value?: T) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, value) => (error ? reject(error) : resolve(value as T)));
  });
}

/** What isn't there, or not for us to read, is nothing. Other reasons may pass. */
const NOTHING: ReadonlySet<string> = new Set(
  "ENOENT ENOTDIR EISDIR EACCES EPERM ELOOP ENAMETOOLONG ENXIO".split(" "),
);

/**
 * What a read gives, else what stands for something that isn't there or not for us to read. Throws when the reason may
 * pass (`EIO`, `EMFILE` …): taken for nothing, it would make half of what is there look like all of it.
 */
export function readOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (NOTHING.has(errorCodeOf(error))) return otherwise;
    throw error;
  }
}

/** The names in a directory; none when there is no such directory. */
export function namesIn(dir: string, fs: FileSystem): readonly string[] {
  return readOr<readonly string[]>([], () => fs.readdirSync(dir));
}

/** 0 for what is no regular file: a link or a pipe is none of ours. */
export function fileSizeOf(path: string, fs: FileSystem): number {
  return readOr(0, () => {
    const status = fs.lstatSync(path);
    return status.isFile() ? status.size : 0;
  });
}

/** What a write has taken. None at all is a failure, or writing would never end. */
export function bytesTaken(size: number): number {
  if (size > 0) return size;
  throw Object.assign(new Error("nothing was written"), { code: "EAGAIN" });
}
