import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileSystem, openJournal, realFileSystem } from "@thoughtflow/journal";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toolCallRecord } from "../testing/tool-call-record.ts";
import { sessionStretches } from "./session-stretches.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "thoughtflow-stretches-"));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

/** Calls of `s`, each a trace; answers the writer. */
async function written(numbers: readonly number[]): Promise<string> {
  const journal = openJournal({ dir });
  for (const n of numbers)
    journal.append({ ...toolCallRecord(n, "s", "found"), traceId: `${n}`.padStart(32, "f") });
  await journal.flush();
  journal.closeSync();
  return journal.writer;
}

/** To list so many files takes it longer than what a look at them may take each time. */
const slow: FileSystem = {
  ...realFileSystem,
  readdirSync: ((...args: Parameters<typeof realFileSystem.readdirSync>) => {
    for (const end = performance.now() + 15; performance.now() < end; );
    return realFileSystem.readdirSync(...args);
  }) as FileSystem["readdirSync"],
};

test("what others add meanwhile is seen at once, however many journals there are", async () => {
  const writer = await written([1, 2, 3]);
  const crowd = readFileSync(join(dir, ".journal", `${await written([4])}.tfj`));
  for (let n = 0; n < 300; n++) writeFileSync(join(dir, ".journal", `other-${n}.tfj`), crowd);
  const sizes = { long: 0, stretch: 1 };
  const found = sessionStretches("s", { dir, writer, fs: slow, outline: sizes });
  expect(found?.hasGrown()).toBe(false);
  await written([5]);
  expect(found?.hasGrown()).toBe(true);
});
