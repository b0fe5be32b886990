import * as nodeFileSystem from "node:fs";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Lease, takeLease } from "./lease.ts";
import { identityOf } from "./process-identity.ts";

let dir: string;
let path: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "lease-"));
  mkdirSync(join(dir, ".journal"));
  path = join(dir, ".journal", "s.lease");
});

afterEach(() => rmSync(dir, { recursive: true }));

it("has one holder at a time, and leaves nothing behind", () => {
  const first = takeLease(dir, "s");
  expect(takeLease(dir, "s")).toBeUndefined();
  expect(takeLease(dir, "t")?.release()).toBeUndefined();
  expect(first?.renew()).toBe(true);
  first?.release();
  const second = takeLease(dir, "s");
  expect([first?.renew(), second?.renew()]).toEqual([false, true]);
  second?.release();
  expect(readdirSync(join(dir, ".journal"))).toEqual([]);
});

it("goes at once from a dead process to who asks", () => {
  const dead = { ...identityOf(process.pid), started: "1" };
  writeFileSync(path, JSON.stringify(dead));
  const lease = takeLease(dir, "s");
  expect(lease?.renew()).toBe(true);
  lease?.release();
});

it.each([
  ["a living process", JSON.stringify(identityOf(process.pid))],
  ["a process of another machine", JSON.stringify({ ...identityOf(process.pid), space: "x" })],
  ["somebody whose name was torn off", '{"pid":'],
])("goes from %s after 30 s without a sign, whatever the clock did", (_, holder) => {
  writeFileSync(path, holder);
  expect(takeLease(dir, "s")).toBeUndefined();
  for (const ago of [31, -86_400]) {
    writeFileSync(path, holder);
    const then = Date.now() / 1000 - ago;
    utimesSync(path, then, then);
    const lease = takeLease(dir, "s");
    expect(lease?.renew()).toBe(true);
    lease?.release();
  }
});

it("is taken from nobody who got it while it was looked whose it had been", () => {
  const dead = { ...identityOf(process.pid), started: "1" };
  writeFileSync(path, JSON.stringify(dead));
  let other: Lease | undefined;
  const fs = {
    ...nodeFileSystem,
    closeSync(fd: number) {
      nodeFileSystem.closeSync(fd);
      other ??= takeLease(dir, "s");
    },
  };
  expect(takeLease(dir, "s", { fs })).toBeUndefined();
  expect(other?.renew()).toBe(true);
  other?.release();
});

it("is taken from nobody who got it after it was given back", () => {
  const first = takeLease(dir, "s");
  let other: Lease | undefined;
  const openSync = (name: nodeFileSystem.PathLike, flags: nodeFileSystem.OpenMode) => {
    try {
      return nodeFileSystem.openSync(name, flags);
    } finally {
      first?.release();
    }
  };
  const unlinkSync = (name: nodeFileSystem.PathLike) => {
    other ??= takeLease(dir, "s");
    nodeFileSystem.unlinkSync(name);
  };
  const fs = { ...nodeFileSystem, openSync, unlinkSync };
  const lease = takeLease(dir, "s", { fs });
  expect([lease, other].filter((one) => one !== undefined).map((one) => one.renew())).toEqual([
    true,
  ]);
  lease?.release();
  other?.release();
});

it("stays with a living process that gives no sign, where it is for its life, and goes from one that can't be seen", () => {
  const then = Date.now() / 1000 - 3_600;
  const taken = (holder: object) => {
    writeFileSync(path, JSON.stringify(holder));
    utimesSync(path, then, then);
    const lease = takeLease(dir, "s", { isForLife: true });
    lease?.release();
    return lease !== undefined;
  };
  const own = identityOf(process.pid);
  expect(taken(own)).toBe(false);
  expect(taken({ ...own, started: "1" })).toBe(true);
  expect(taken({ ...own, space: "x" })).toBe(true);
});

it("fences a holder that was asleep: of all who took the lease over one alone may write", () => {
  const asleep = takeLease(dir, "s");
  const later = Date.now() + 31_000;
  // Each finds the lease stale and takes it over before the next one looks.
  const others = Array.from({ length: 5 }, (_, n) =>
    takeLease(dir, "s", { nowMs: () => later + n * 31_000 }),
  );
  const all = [asleep, ...others];
  expect(all.map((lease) => lease?.renew())).toEqual([false, false, false, false, false, true]);
  for (const lease of all.slice(0, -1)) lease?.release();
  expect(all.at(-1)?.renew()).toBe(true);
  all.at(-1)?.release();
});

it("keeps a lease alive by renewing it", () => {
  let now = Date.now();
  const nowMs = () => now;
  const lease = takeLease(dir, "s", { nowMs });
  for (let n = 0; n < 5; n++) {
    now += 20_000;
    expect(lease?.renew()).toBe(true);
    expect(takeLease(dir, "s", { nowMs })).toBeUndefined();
  }
  lease?.release();
});

it("holds on a full disk, too", () => {
  const writeSync: typeof nodeFileSystem.writeSync = () => {
    throw Object.assign(new Error("full"), { code: "ENOSPC" });
  };
  const lease = takeLease(dir, "s", { fs: { ...nodeFileSystem, writeSync } });
  expect([lease?.renew(), takeLease(dir, "s")]).toEqual([true, undefined]);
  lease?.release();
});
