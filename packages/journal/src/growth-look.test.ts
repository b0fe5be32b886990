import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { realFileSystem } from "./file-system.ts";
import { createGrowthLook } from "./growth-look.ts";
import { createRecordIndex } from "./record-index.ts";
import type { Writer } from "./segments.ts";

function lookAt(path: string, tookMs: number, count = 1) {
  const writers = new Map<string, Writer>();
  let nowMs = 0;
  let written = 0;
  const look = createGrowthLook({
    list() {
      nowMs += tookMs;
      return Array.from({ length: count }, () => ({ writer: "w", path }));
    },
    writerOf(name) {
      const index = createRecordIndex(() => ({ read: () => Buffer.alloc(0), close() {} }));
      const writer = writers.get(name) ?? { index, segments: new Map(), sessions: undefined };
      writers.set(name, writer);
      return writer;
    },
    fs: realFileSystem,
    mustLook: () => written,
    now: () => nowMs,
  });
  const pass = (milliseconds: number): void => {
    nowMs += milliseconds;
  };
  const write = (): void => {
    written++;
  };
  return { look: () => [...look().keys()], pass, write };
}

function file(): string {
  const dir = mkdtempSync(join(tmpdir(), "growth-look-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const path = join(dir, "w.tfj");
  writeFileSync(path, "something");
  return path;
}

test("what has grown is seen at once where a look takes little", () => {
  const { look } = lookAt(file(), 1);
  expect([look(), look()]).toEqual([["w"], ["w"]]);
});

test("a machine that stands still for a moment puts no look off", () => {
  const { look } = lookAt(file(), 500);
  expect([look(), look()]).toEqual([["w"], ["w"]]);
});

test("where a look at many takes long no more than a tenth of the time goes into looks", () => {
  const { look, pass } = lookAt(file(), 50, 257);
  expect(look()).toEqual(["w"]);
  pass(400);
  expect(look()).toEqual([]);
  pass(100);
  expect(look()).toEqual(["w"]);
});

test("whoever has written something himself looks at once", () => {
  const { look, write } = lookAt(file(), 50, 257);
  expect(look()).toEqual(["w"]);
  expect(look()).toEqual([]);
  write();
  expect(look()).toEqual(["w"]);
});
