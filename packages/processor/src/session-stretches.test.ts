import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileSystem, type Journal, openJournal, realFileSystem } from "@thoughtflow/journal";
import type { SpanRecord } from "@thoughtflow/schema";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toolCallRecord } from "../testing/tool-call-record.ts";
import { createSessionRecords } from "./session-records.ts";
import { sessionStretches } from "./session-stretches.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "thoughtflow-stretches-"));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

/** A call of `s`, in a trace of its own. */
function call(n: number): SpanRecord {
  return { ...toolCallRecord(n, "s", "found"), traceId: `${n}`.padStart(32, "f") };
}

async function journalOf(records: readonly SpanRecord[]): Promise<Journal> {
  const journal = openJournal({ dir });
  for (const record of records) journal.append(record);
  await journal.flush();
  journal.closeSync();
  return journal;
}

/** Answers the writer. */
async function written(numbers: readonly number[]): Promise<string> {
  return (await journalOf(numbers.map(call))).writer;
}

/** To list so many files takes it longer than what a look at them may take each time. */
const slow: FileSystem = {
  ...realFileSystem,
  readdirSync: ((...args: Parameters<typeof realFileSystem.readdirSync>) => {
    for (const end = performance.now() + 15; performance.now() < end; );
    return realFileSystem.readdirSync(...args);
  }) as FileSystem["readdirSync"],
};

test("the spans of a trace are those of the writers that name the session in it, as in one piece", async () => {
  const unnamedBelow = (above: number, n: number): SpanRecord => {
    const { traceId, spanId: parentSpanId } = call(above);
    return { ...call(n), traceId, parentSpanId, attributes: {} };
  };
  const own = await journalOf([call(1), unnamedBelow(2, 6)]);
  await journalOf([call(2), unnamedBelow(1, 7)]);
  const options = { dir, writer: own.writer, fs: realFileSystem, outline: { long: 0, stretch: 1 } };
  const found = sessionStretches("s", options);
  const traces = [1, 2].map((n) => call(n).traceId);
  const [whole] = createSessionRecords(dir, own).read("s", true);
  expect(found?.recordsOfTraces(traces)).toEqual(whole?.records);
});

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
