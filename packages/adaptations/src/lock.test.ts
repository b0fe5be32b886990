import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { withLock } from "./lock.ts";

function directory(): string {
  const dir = mkdtempSync(join(tmpdir(), "thoughtflow-lock-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A lock file as a process of this machine makes it. */
function locked(dir: string, number: number, pid: number, host = hostname()): string {
  const path = join(dir, `.lock.${number}`);
  writeFileSync(path, JSON.stringify({ pid, host }));
  return path;
}

const dead = spawnSync(process.execPath, ["--version"]).pid;

test("one after the other may hold it, and one file stays", () => {
  const dir = directory();
  expect([1, 2, 3].map((n) => withLock(dir, () => n))).toEqual([1, 2, 3]);
  expect(readdirSync(dir)).toEqual([".lock.3"]);
  expect(() =>
    withLock(dir, () => {
      throw new Error("work");
    }),
  ).toThrow("work");
  expect(withLock(dir, () => "free again")).toBe("free again");
});

test("a lock that a dead process left behind is taken over at once", () => {
  const dir = directory();
  locked(dir, 7, dead);
  expect(withLock(dir, () => readdirSync(dir), 0)).toEqual([".lock.8"]);
});

test.each([
  ["long ago", -60_000],
  ["in the future", 60_000],
])("a lock from %s is nobody's", (_, offset) => {
  const dir = directory();
  const path = locked(dir, 1, process.pid, "another machine");
  const time = (Date.now() + offset) / 1000;
  utimesSync(path, time, time);
  expect(withLock(dir, () => "taken over", 0)).toBe("taken over");
});

test("one that a living process holds is waited for, then told", () => {
  const dir = directory();
  const path = locked(dir, 3, process.pid);
  expect(() => withLock(dir, () => undefined, 30)).toThrow(`${path} is held by another process`);
});
