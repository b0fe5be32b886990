import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openJournal } from "./journal.ts";
import { listSessions } from "./session-files.ts";
import { writeDocument, writeDocumentSync } from "./write-document.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "document-"));
});

afterEach(() => {
  rmSync(dir, { recursive: true });
});

const writers = [
  ["later", writeDocument],
  ["at once", writeDocumentSync],
] as const;

it.each(writers)("writes all chunks into a file for the user alone, %s", async (_, write) => {
  const flow = join(dir, "new", "flow");
  function* chunks(): Generator<string> {
    for (let line = 0; line < 50_000; line++) yield `line ${line} é😀\n`;
  }
  const text = [...chunks()].join("");
  const bytes = Buffer.byteLength(text);
  expect(await write(flow, "a.json", chunks())).toEqual({ written: true, bytes });
  expect(readFileSync(join(flow, "a.json"), "utf8")).toBe(text);
  expect(statSync(join(flow, "a.json")).mode & 0o777).toBe(0o600);
  expect(statSync(flow).mode & 0o777).toBe(0o700);
  expect(await write(flow, "a.json", [])).toEqual({ written: true, bytes: 0 });
});

it.each(writers)("writes a chunk of any length, its characters whole, %s", async (_, write) => {
  const text = `x${"😀".repeat(1_200_000)}y`;
  await write(dir, "a.json", [text, text, "end"]);
  expect(readFileSync(join(dir, "a.json"), "utf8")).toBe(`${text}${text}end`);
});

it.each(writers)("replaces a link instead of writing through it, %s", async (_, write) => {
  writeFileSync(join(dir, "target"), "untouched");
  symlinkSync(join(dir, "target"), join(dir, "a.json"));
  expect(await write(dir, "a.json", ["new"])).toEqual({ written: true, bytes: 3 });
  expect(readFileSync(join(dir, "target"), "utf8")).toBe("untouched");
  expect(lstatSync(join(dir, "a.json")).isFile()).toBe(true);
});

it.each(writers)("says why it could not write, and leaves nothing behind, %s", async (_, write) => {
  mkdirSync(join(dir, "folder"));
  expect(await write(dir, "folder", ["x"])).toEqual({ written: false, code: "EISDIR" });
  expect(await write(join(dir, "a\0b"), "a", ["x"])).toMatchObject({ written: false });
  function* failing(): Generator<string> {
    yield "half";
    throw new RangeError("no");
  }
  expect(await write(dir, "a.json", failing())).toEqual({ written: false, code: "RangeError" });
  expect(readdirSync(dir)).toEqual(["folder"]);
});

it("is swept by the next journal when its writer was killed, and nothing else is", () => {
  const names = [".tmp-0123456789abcdef", ".tmp-fedcba9876543210", ".tmp-mine", "a.json"];
  for (const name of names) writeFileSync(join(dir, name), "");
  const minuteAgo = Date.now() / 1000 - 61;
  for (const name of names.slice(1)) utimesSync(join(dir, name), minuteAgo, minuteAgo);
  const journal = openJournal({ dir });
  journal.append({ type: "tombstone", sessionId: "s" });
  journal.closeSync();
  expect(readdirSync(dir).sort()).toEqual([
    ".gitignore",
    ".journal",
    ".tmp-0123456789abcdef",
    ".tmp-mine",
    "a.json",
  ]);
});

it("lists the documents of a directory, newest first", () => {
  for (const [index, name] of ["old", "new", "newest"].entries()) {
    writeDocumentSync(dir, `${name}.json`, ["{}"]);
    utimesSync(join(dir, `${name}.json`), index, index);
  }
  for (const name of [".hidden.json", "a.d2", "a.scores.jsonl"]) writeFileSync(join(dir, name), "");
  mkdirSync(join(dir, "folder.json"));
  symlinkSync(join(dir, "old.json"), join(dir, "link.json"));
  expect(listSessions(dir)).toEqual(
    ["newest", "new", "old"].map((name, index) => ({
      name,
      path: join(dir, `${name}.json`),
      bytes: 2,
      modifiedMs: 2_000 - index * 1_000,
    })),
  );
  expect(listSessions(join(dir, "none"))).toEqual([]);
});
