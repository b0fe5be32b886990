import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CommandIo } from "../command-io.ts";
import { filesOfWords } from "./files-of-word.ts";

const cwd = mkdtempSync(join(tmpdir(), "words-"));

beforeAll(() => {
  mkdirSync(join(cwd, "logs"));
  writeFileSync(join(cwd, "logs", "a.jsonl"), "{}\n");
  writeFileSync(join(cwd, "logs", "b.jsonl"), "{}{}\n");
  symlinkSync(join(cwd, "logs", "a.jsonl"), join(cwd, "latest.jsonl"));
});
afterAll(() => rmSync(cwd, { recursive: true }));

async function filesOf(...words: readonly string[]) {
  const said = ["what was piped", ""];
  const io = { cwd, readStdin: async () => said.shift() } as unknown as CommandIo;
  let [expected, read] = [0, 0];
  const files = await filesOfWords(words, {}, io, {
    expect(bytes) {
      expected += bytes;
    },
    read(bytes) {
      read += bytes;
    },
    assembled: () => {},
    done: () => {},
  });
  const texts = await Promise.all(files.map((file) => file.text()));
  return { names: files.map(({ name }) => name), bytes: texts.join("").length, expected, read };
}

test.each([
  [["logs/a.jsonl", "logs/a.jsonl"], ["a.jsonl"], 3],
  [["logs/a.jsonl", "./logs/../logs/a.jsonl"], ["logs/a.jsonl"], 3],
  [["logs", "logs/b.jsonl", "logs"], ["logs/a.jsonl", "logs/b.jsonl"], 8],
  [["latest.jsonl", "logs"], ["latest.jsonl", "logs/b.jsonl"], 8],
])(
  "%j: a file that several words mean is read once, and expected once",
  async (words, names, size) => {
    expect(await filesOf(...words)).toEqual({ names, bytes: size, expected: size, read: size });
  },
);

test("what is piped is read once", async () => {
  expect(await filesOf("-", "logs", "-")).toMatchObject({
    names: ["stdin", "logs/a.jsonl", "logs/b.jsonl"],
    bytes: 22,
  });
});
