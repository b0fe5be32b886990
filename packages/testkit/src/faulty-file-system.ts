/** One call to a file system. */
export interface FileSystemCall {
  /** Counted from 0. */
  readonly number: number;
  readonly name: string;
}

/** A file system that fails when it is told to. */
export interface FaultyFileSystem<FileSystem> {
  readonly fs: FileSystem;
  /** The names of all calls so far. */
  readonly calls: readonly string[];
}

export interface FaultyFileSystemOptions {
  /** The error code with which a call fails: `ENOSPC`, `EIO` …; `undefined` lets it through. */
  readonly codeFor: (call: FileSystemCall) => string | undefined;
  /** Bytes that one write takes at most. Default: all. */
  readonly mostBytes?: number;
}

/** A real file system whose calls fail before they do anything, both kinds: the ones at once and those with a callback. */
export function createFaultyFileSystem<FileSystem extends object>(
  real: FileSystem,
  { codeFor, mostBytes = Number.POSITIVE_INFINITY }: FaultyFileSystemOptions,
): FaultyFileSystem<FileSystem> {
  const calls: string[] = [];
  const fs: Record<string, unknown> = {};
  for (const [name, call] of Object.entries(real)) {
    if (typeof call !== "function") continue;
    fs[name] = (...args: unknown[]) => {
      const done = args.at(-1);
      const code = codeFor({ number: calls.length, name });
      calls.push(name);
      if (code !== undefined) {
        const error = Object.assign(new Error(`${code}: ${name}`), { code });
        if (typeof done !== "function") throw error;
        return setImmediate(() => done(error));
      }
      if (name.startsWith("write") && typeof args[3] === "number") {
        args[3] = Math.min(args[3], mostBytes);
      }
      return Reflect.apply(call, undefined, args);
    };
  }
  return { fs: fs as FileSystem, calls };
}

/** How `failEachCall` lets calls fail. */
export interface FailEachCallOptions {
  readonly code: string;
  /** Only every so manieth call fails in its turn: a sample. Default 1. */
  readonly every?: number;
  /** Bytes that one write takes at most. Default: all. */
  readonly mostBytes?: number;
}

/**
 * Lets each call of a piece of work fail in turn, and then none.
 *
 * @returns how many calls there are
 */
export async function failEachCall<FileSystem extends object>(
  real: FileSystem,
  { code, every = 1, mostBytes }: FailEachCallOptions,
  run: (faulty: FaultyFileSystem<FileSystem>, failing: number) => Promise<void>,
): Promise<number> {
  for (let failing = 0; ; failing += every) {
    const faulty = createFaultyFileSystem(real, {
      codeFor: ({ number }) => (number === failing ? code : undefined),
      ...(mostBytes !== undefined && { mostBytes }),
    });
    await run(faulty, failing);
    if (failing >= faulty.calls.length) return faulty.calls.length;
  }
}
