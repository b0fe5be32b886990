import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, expect, test, vi } from "vitest";
import { textOfBytes } from "./file-bytes.ts";
import { filesBelow, sourceFile } from "./source-file.ts";

const directory = mkdtempSync(join(tmpdir(), "files-"));
afterAll(() => rmSync(directory, { recursive: true }));

const TEXT = '{"a":"é 漢 🙂"}\n{"b":2}\n';
const utf16 = Buffer.from(`\uFEFF${TEXT}`, "utf16le");

/** As programs write that compress what they append. */
function inPieces(pack: (bytes: Buffer) => Buffer): Buffer {
  const pieces = [...Buffer.from(TEXT)].map((byte) => pack(Buffer.of(byte)));
  return Buffer.concat(pieces);
}

test.each([
  ["plain.jsonl", Buffer.from(TEXT)],
  ["marked.jsonl", Buffer.from(`\uFEFF${TEXT}`)],
  ["windows.jsonl", utf16],
  ["other-end-first.jsonl", Buffer.from(utf16).swap16()],
  ["small.jsonl.gz", gzipSync(TEXT)],
  ["smaller.jsonl.zst", zstdCompressSync(Buffer.from(TEXT))],
  ["moved.jsonl", gzipSync(TEXT)],
  ["moved-too.jsonl", zstdCompressSync(Buffer.from(TEXT))],
  ["appended.jsonl.gz", inPieces(gzipSync)],
  ["appended-too.jsonl.zst", inPieces(zstdCompressSync)],
])(
  "%s says the same, whole and by lines, and is named after what is in it",
  async (name, bytes) => {
    const path = join(directory, name);
    writeFileSync(path, bytes);
    let read = 0;
    const file = sourceFile(path, name, (more) => {
      read += more;
    });
    expect(file.name).toMatch(/^[\w-]+\.jsonl$/);
    expect(await file.text()).toBe(TEXT);
    const lines: string[] = [];
    for await (const { text } of file.lines()) lines.push(text);
    expect(`${lines.join("\n")}\n`).toBe(TEXT);
    expect(read).toBe(bytes.length);
  },
);

test.each([
  ["cut.jsonl.gz", gzipSync],
  ["cut.jsonl.zst", zstdCompressSync],
])("%s, which was cut off, ends where it ends", async (name, pack) => {
  const lines = Array.from({ length: 20_000 }, (_, n) => JSON.stringify({ n, r: Math.sin(n) }));
  const bytes = pack(Buffer.from(`${lines.join("\n")}\n`));
  const path = join(directory, name);
  writeFileSync(path, bytes.subarray(0, bytes.length - 1_000));
  const read: string[] = [];
  for await (const { text, ended } of sourceFile(path, name).lines()) if (ended) read.push(text);
  expect(read.length).toBeGreaterThan(5_000);
  expect(read).toEqual(lines.slice(0, read.length));
});

test.each([
  ["plain", Buffer.from(TEXT)],
  ["in UTF-16", utf16],
  ["gzipped", gzipSync(TEXT)],
  ["cut off", gzipSync(TEXT).subarray(0, -4)],
  ["in Zstandard", zstdCompressSync(utf16)],
  ["in Zstandard, piece by piece", inPieces(zstdCompressSync)],
])("what comes over a pipe %s says the same", async (_, bytes) => {
  expect(await textOfBytes(bytes)).toBe(TEXT);
});

test("what is not packed as its name says is told with its path", async () => {
  const path = join(directory, "plain.jsonl.gz");
  writeFileSync(path, TEXT);
  await expect(sourceFile(path, "plain.jsonl.gz").text()).rejects.toThrow(path);
});

test("what is compressed is found in a directory by what is in it", async () => {
  const found = await filesBelow(directory, (name) => name === "small.jsonl");
  expect(found).toEqual([join(directory, "small.jsonl.gz")]);
});

test("files that are read one after the other share their memory, and files that are read at once do not", async () => {
  const files = ["a", "b", "c"].map((name) => {
    const path = join(directory, `${name}.txt`);
    writeFileSync(path, `${name}1\n${name}2\n`);
    return sourceFile(path, name);
  });
  const allocate = vi.spyOn(Buffer, "allocUnsafeSlow");
  const texts: string[] = [];
  for (const file of files) texts.push(await file.text());
  expect(texts).toEqual(["a1\na2\n", "b1\nb2\n", "c1\nc2\n"]);
  expect(allocate.mock.calls.length).toBeLessThanOrEqual(1);
  allocate.mockRestore();
  const [one, other] = files.map((file) => file.lines()[Symbol.asyncIterator]());
  const said: unknown[] = [];
  for (let line = 0; line < 2; line++)
    for (const lines of [one, other]) said.push((await lines?.next())?.value?.text);
  expect(said).toEqual(["a1", "b1", "a2", "b2"]);
});

test("the lines at a file's end are told without the rest, and those of a compressed one all", async () => {
  const lines = Array.from({ length: 20_000 }, (_, number) => `{"line":${number}}`);
  const text = `${lines.join("\n")}\n`;
  const told = async (name: string, bytes: string | Buffer): Promise<readonly string[]> => {
    const path = join(directory, name);
    writeFileSync(path, bytes);
    const found: string[] = [];
    for await (const line of sourceFile(path, name).lastLines()) found.push(line.text);
    return found;
  };
  const [, ...last] = await told("long.jsonl", text);
  expect(last.length).toBeLessThan(5_000);
  expect(last).toEqual(lines.slice(-last.length));
  expect(await told("long.jsonl.gz", gzipSync(text))).toEqual(lines);
  expect(await told("short.jsonl", "{}\n{")).toEqual(["{}", "{"]);
});
