import * as fs from "node:fs";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createFlowDirectory } from "./flow-directory.ts";

let root: string;
let path: string;
let elsewhere: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "flow-directory-"));
  path = join(root, "deep", "flows");
  elsewhere = join(root, "elsewhere");
  mkdirSync(elsewhere);
});

afterEach(() => rmSync(root, { recursive: true }));

it.for([0, 0o177])("is made for the user alone, hidden from git, with the umask %i", (umask) => {
  const before = process.umask(umask);
  try {
    expect(createFlowDirectory(path, fs).make("blobs")).toBe(join(path, "blobs"));
  } finally {
    process.umask(before);
  }
  const modes = [path, join(path, "blobs"), join(path, ".gitignore")].map(
    (made) => statSync(made).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o700, 0o600]);
});

it("may be a link from the start", () => {
  symlinkSync(elsewhere, join(root, "link"));
  const directory = createFlowDirectory(join(root, "link"), fs);
  directory.make("blobs");
  expect(directory.make("")).toBe(join(root, "link"));
  expect(readdirSync(elsewhere).sort()).toEqual([".gitignore", "blobs"]);
});

it("is made again when it was deleted, and is never written through a link that took its place", () => {
  const directory = createFlowDirectory(path, fs);
  directory.make();
  rmSync(path, { recursive: true });
  directory.make();
  expect(readdirSync(path)).toEqual([".gitignore"]);
  renameSync(path, join(root, "away"));
  symlinkSync(elsewhere, path);
  expect(() => directory.make("blobs")).toThrow("has become a link");
  expect(readdirSync(elsewhere)).toEqual([]);
});

it.each([
  ["a link", (folder: string) => symlinkSync(elsewhere, folder)],
  ["a file", (folder: string) => fs.writeFileSync(folder, "")],
])("does not take %s for a folder", (_, put) => {
  const directory = createFlowDirectory(path, fs);
  directory.make();
  put(join(path, "blobs"));
  expect(() => directory.make("blobs")).toThrow();
  expect(readdirSync(elsewhere)).toEqual([]);
});

it.runIf(fs.existsSync("/proc/self"))("ends with an error below /proc", () => {
  expect(() => createFlowDirectory("/proc/thoughtflow/flows", fs).make()).toThrow("ENOENT");
});
