import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

const PATIENCE_MS = 2_000;
const STALE_MS = 10_000;
const PAUSE_MS = 10;
const NAME = /^\.lock\.(\d{1,15})$/;
const FREE = "free";

/**
 * Does something while no other process does something under this lock of the directory. Each holder makes a file with
 * the next number, which only one can make; the one before it has to be free, or left behind by a dead process or for
 * 10 s. The file with the greatest number stays: nobody who waits could tell one that was deleted from one of his own.
 *
 * @param patienceMs how long to wait for whoever holds it; default 2 s
 * @throws Error when another one doesn't let go in that time
 */
export function withLock<T>(dir: string, work: () => T, patienceMs: number = PATIENCE_MS): T {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const until = performance.now() + patienceMs;
  let own = take(dir);
  while (own === undefined) {
    if (performance.now() > until)
      throw new Error(`${pathOf(dir, numbersIn(dir)[0] ?? 1)} is held by another process`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    own = take(dir);
  }
  try {
    return work();
  } finally {
    writeFileSync(own, FREE);
  }
}

/** The path of a lock that is ours now; `undefined` while somebody else holds it. */
function take(dir: string): string | undefined {
  const [latest = 0] = numbersIn(dir);
  if (latest > 0 && !isFree(pathOf(dir, latest))) return undefined;
  const own = latest + 1;
  const path = pathOf(dir, own);
  try {
    const file = openSync(path, "wx", 0o600);
    writeSync(file, JSON.stringify({ pid: process.pid, host: hostname() }));
    closeSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw error;
  }
  const numbers = numbersIn(dir);
  // A number may have been used and deleted since it was chosen; then there is a greater one.
  const isLatest = numbers[0] === own;
  for (const number of isLatest ? numbers.slice(1) : [own])
    rmSync(pathOf(dir, number), { force: true });
  return isLatest ? path : undefined;
}

/** Of the lock files that are there, greatest first. */
function numbersIn(dir: string): readonly number[] {
  return readdirSync(dir)
    .flatMap((name) => NAME.exec(name)?.slice(1).map(Number) ?? [])
    .toSorted((a, b) => b - a);
}

function pathOf(dir: string, number: number): string {
  return join(dir, `.lock.${number}`);
}

function isFree(path: string): boolean {
  try {
    const text = readFileSync(path, "utf8");
    if (text === FREE) return true;
    // A clock that was set back makes the file one of the future.
    if (Math.abs(Date.now() - statSync(path).mtimeMs) > STALE_MS) return true;
    const { pid, host } = JSON.parse(text) as { readonly pid?: unknown; readonly host?: unknown };
    return host === hostname() && typeof pid === "number" && !isAlive(pid);
  } catch {
    // Deleted since, or not signed yet.
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
