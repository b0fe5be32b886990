import * as nodeFileSystem from "node:fs";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FaultyFileSystem, failEachCall } from "@thoughtflow/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FileSystem } from "./file-system.ts";
import { openSpool, type Spool, type SpoolOptions } from "./spool.ts";

let dir: string;
let folder: string;
let losses: [number, string][];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "spool-"));
  folder = join(dir, ".spool", "there");
  losses = [];
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

function open(options: Partial<SpoolOptions> = {}): Spool {
  return openSpool({
    dir,
    folders: [".spool", "there"],
    maxBytes: 1_000,
    maxAgeMillis: 3_600_000,
    onLoss: (spans, reason) => losses.push([spans, reason]),
    ...options,
  });
}

const request = (text: string) => Buffer.from(text);
const textOf = (taken: { readonly body: Uint8Array } | undefined) => taken?.body.toString();

test("what one process puts down, the next one sends, in the order in which it was put down", () => {
  const at = Date.now();
  const first = open({ now: () => at });
  for (const text of ["one", "two", "three"]) first.add(request(text), 2)?.release();
  const later = open();
  expect(later.waitingSpans()).toBe(6);
  const taken = [later.take(), later.take(), later.take(), later.take()];
  expect(taken.map(textOf)).toEqual(["one", "two", "three", undefined]);
  for (const one of taken) one?.remove();
  expect(readdirSync(folder)).toEqual([]);
  expect(losses).toEqual([]);
});

test("files are the request as it goes over the wire, for the user alone", () => {
  open().add(request("bytes"), 1);
  const [name = ""] = readdirSync(folder);
  expect(nodeFileSystem.readFileSync(join(folder, name), "utf8")).toBe("bytes");
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

describe("a request that is being sent", () => {
  test("is not sent by another process too, unless that one gives it back", () => {
    const one = open();
    const held = one.add(request("once"), 1);
    // The same process id here stands for a container's, so the other claims to be somebody else.
    const other = open({ isAlive: () => true });
    const claimed = readdirSync(folder)[0] ?? "";
    renameSync(join(folder, claimed), join(folder, claimed.replace(`.${process.pid}-`, ".1-")));
    expect(other.take()).toBeUndefined();
    renameSync(join(folder, claimed.replace(`.${process.pid}-`, ".1-")), join(folder, claimed));
    held?.release();
    expect(textOf(other.take())).toBe("once");
  });

  test.each<[string, Partial<SpoolOptions>]>([
    ["by a process that is gone", { isAlive: () => false }],
    ["by one that took too long", { isAlive: () => true, now: () => Date.now() + 130_000 }],
  ])("%s is taken over", (_title, options) => {
    open().add(request("left behind"), 1);
    const claimed = readdirSync(folder)[0] ?? "";
    renameSync(join(folder, claimed), join(folder, claimed.replace(`.${process.pid}-`, ".1-")));
    expect(textOf(open(options).take())).toBe("left behind");
  });

  test("by an earlier start with the same process id, as in a container, is taken over", () => {
    open().add(request("left behind"), 1);
    expect(textOf(open().take())).toBe("left behind");
  });
});

describe("bounds", () => {
  test("when it is full the oldest go, counted", () => {
    const spool = open({ maxBytes: 30 });
    for (const text of ["a".repeat(10), "b".repeat(10), "c".repeat(10), "d".repeat(15)]) {
      spool.add(request(text), 5)?.release();
    }
    expect([spool.take(), spool.take()].map(textOf)).toEqual(["c".repeat(10), "d".repeat(15)]);
    expect(losses).toEqual([
      [5, "the spool is full"],
      [5, "the spool is full"],
    ]);
  });

  test("a request that is larger than the spool is not taken, and pushes nothing out", () => {
    const spool = open({ maxBytes: 30 });
    spool.add(request("kept"), 1)?.release();
    expect(spool.add(request("x".repeat(31)), 1)).toBeUndefined();
    expect(textOf(spool.take())).toBe("kept");
  });

  test("what has waited too long goes; a clock that was set back makes nothing old", () => {
    let now = 10_000_000;
    const spool = open({ now: () => now });
    spool.add(request("old"), 3)?.release();
    now -= 5_000_000;
    spool.add(request("new"), 1)?.release();
    expect(spool.waitingSpans()).toBe(4);
    now += 5_000_000 + 3_600_001;
    expect(spool.take()).toBeUndefined();
    expect(losses).toEqual([
      [3, "they waited too long in the spool"],
      [1, "they waited too long in the spool"],
    ]);
  });
});

describe("a disk in trouble", () => {
  test("damaged files are put aside and counted, foreign ones left alone", () => {
    open().add(request("good bytes"), 7)?.release();
    const [name = ""] = readdirSync(folder);
    writeFileSync(join(folder, name), "bad bytes!");
    writeFileSync(join(folder, "notes.txt"), "mine");
    expect(open().take()).toBeUndefined();
    expect(losses).toEqual([[7, "a file of the spool is damaged"]]);
    expect(readdirSync(folder).toSorted()).toEqual([`.damaged-${name}`, "notes.txt"]);
  });

  test("a folder that is removed is made again", () => {
    const spool = open();
    spool.add(request("gone"), 1);
    rmSync(join(dir, ".spool"), { recursive: true });
    expect(spool.take()).toBeUndefined();
    spool.add(request("here"), 1)?.release();
    expect(textOf(spool.take())).toBe("here");
  });

  test("nothing is written through a link in the folder's place", () => {
    const elsewhere = join(dir, "elsewhere");
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(dir, ".spool"));
    expect(open().add(request("secret"), 1)).toBeUndefined();
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test("whichever call fails, nothing is thrown and every request is there whole or not at all", () => {
    let calls = 0;
    for (let failing = 0; failing <= calls; failing += 1) {
      rmSync(dir, { recursive: true, force: true });
      calls = 0;
      const fs = failingAt(failing, () => calls++);
      const spool = open({ fs, dir });
      const kept = ["one", "two"].filter((text) => {
        const held = spool.add(request(text), 1);
        held?.release();
        return held !== undefined;
      });
      const seen = [spool.take(), spool.take()].map(textOf);
      // Another process finds what this one could not read or give back.
      const other = open();
      const rest = [other.take(), other.take()].map(textOf);
      const found = [...seen, ...rest].filter((text) => text !== undefined);
      expect([...new Set(found)].toSorted()).toEqual(kept);
      expect(losses.filter(([, reason]) => reason !== "a file of the spool is damaged")).toEqual(
        [],
      );
    }
    expect(calls).toBeGreaterThan(20);
  });
});

/** The real file system, of which the call with that number fails. */
function failingAt(number: number, count: () => number): FileSystem {
  const failing = Object.entries(nodeFileSystem).map(([name, real]) => [
    name,
    typeof real === "function" && !name.startsWith("close")
      ? (...args: unknown[]) => {
          if (count() === number) throw Object.assign(new Error(`EIO: ${name}`), { code: "EIO" });
          return Reflect.apply(real, undefined, args);
        }
      : real,
  ]);
  return Object.fromEntries(failing);
}

test.each(["EIO", "ENOSPC"])(
  "whichever call fails with %s, what the spool has accepted is there for the next process",
  async (code) => {
    let tried = 0;
    const run = async ({ fs }: FaultyFileSystem<FileSystem>) => {
      const folders = [".spool", `there-${tried++}`];
      const own = open({ fs, folders });
      const accepted = ["one", "two", "three"].filter((text) => {
        const held = own.add(request(text), 1);
        held?.release();
        return held !== undefined;
      });
      const first = own.take();
      first?.remove();
      const later = open({ folders, isAlive: () => false });
      const left = Array.from({ length: 4 }, () => textOf(later.take()));
      // One whose removal has failed is sent once more.
      const known = new Set([...left, textOf(first)].filter((text) => text !== undefined));
      expect([...known].sort()).toEqual(accepted.toSorted());
      expect(accepted.length).toBeGreaterThan(1);
      expect(losses).toEqual([]);
    };
    expect(await failEachCall(nodeFileSystem, { code }, run)).toBeGreaterThan(20);
  },
);
