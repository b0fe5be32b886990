import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeProtobufRequest, excerptOf, spansOfRecords } from "@thoughtflow/otlp";
import type { SpanRecord } from "@thoughtflow/schema";
import { createFaultyFileSystem } from "@thoughtflow/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { realFileSystem } from "./file-system.ts";
import type { EncodedSpans } from "./frame.ts";
import { openJournal } from "./journal.ts";
import { createJournalReader } from "./journal-reader.ts";
import { readJournalSync } from "./read-journal.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "spans-frames-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const OTHER = "2".repeat(32);

function record(n: number, traceId = "1".repeat(32)): SpanRecord {
  return {
    type: "span_end",
    traceId,
    spanId: String(n).padStart(16, "0"),
    name: `span ${n}`,
    kind: "internal",
    startTimeUnixNano: "1",
    endTimeUnixNano: "2",
    status: { code: "unset" },
    attributes: { n },
    events: [],
    links: [],
    scope: { name: "test" },
    resource: { "service.name": "there" },
  };
}

function encoded(sessionId: string, ...records: readonly SpanRecord[]): EncodedSpans {
  const request = encodeProtobufRequest(spansOfRecords(records));
  return {
    traceId: records[0]?.traceId ?? "",
    sessionId,
    count: records.length,
    request: excerptOf(request, ({ take }) => take(0, request.length)),
  };
}

test("spans as they came are read like others: by trace, by session, in order, also before they are written", async () => {
  const journal = openJournal({ dir });
  journal.append(record(1));
  expect(
    journal.appendSpans([encoded("s", record(2), record(3)), encoded("t", record(4, OTHER))]),
  ).toBe(true);
  journal.append(record(5));
  expect(journal.counters).toMatchObject({ appended: 5, written: 0 });
  expect(journal.recordsOfTraces([OTHER])).toEqual([record(4, OTHER)]);
  expect(await journal.commit()).toBe(true);
  expect(journal.counters).toMatchObject({ appended: 5, written: 5 });
  const all = [record(1), record(2), record(3), record(5)];
  expect(journal.recordsOfSession("s")).toEqual(all);
  expect(journal.sessionIds()).toEqual(["s", "t"]);
  journal.closeSync();
  const reader = createJournalReader(dir);
  reader.refreshSync();
  expect(reader.recordsOfSession("s")).toEqual(all);
});

test("of a journal that is cut off anywhere, the spans of every whole frame are read", () => {
  const journal = openJournal({ dir });
  for (let n = 1; n <= 3; n += 1) journal.appendSpans([encoded("s", record(n), record(n + 10))]);
  journal.closeSync();
  const bytes = readFileSync(join(dir, ".journal", `${journal.writer}.tfj`));
  const counts = new Set<number>();
  for (let end = 0; end <= bytes.length; end += 1) {
    const { records } = readJournalSync(bytes.subarray(0, end));
    expect(records).toEqual(
      [1, 2, 3].flatMap((n) => [record(n), record(n + 10)]).slice(0, records.length),
    );
    counts.add(records.length);
  }
  expect([...counts]).toEqual([0, 2, 4, 6]);
});

test("a full disk is told, and what waits is written when there is room again", async () => {
  let isFull = true;
  const { fs } = createFaultyFileSystem(realFileSystem, {
    codeFor: ({ name }) => (isFull && name.startsWith("write") ? "ENOSPC" : undefined),
  });
  const journal = openJournal({ dir, fs });
  expect(journal.appendSpans([encoded("s", record(1))])).toBe(true);
  expect(await journal.commit()).toBe(false);
  isFull = false;
  expect(await journal.commit()).toBe(true);
  journal.closeSync();
  expect(journal.appendSpans([encoded("s", record(2))])).toBe(false);
  expect(journal.recordsOfSession("s")).toEqual([record(1)]);
});

test("what spans that came said stays in the file until it is looked at", async () => {
  const said = JSON.stringify([
    { role: "user", parts: [{ type: "text", content: "Где я? ".repeat(50) }] },
  ]);
  const long: SpanRecord = { ...record(1), content: { "gen_ai.input.messages": said } };
  const journal = openJournal({ dir });
  journal.appendSpans([encoded("s", long)]);
  await journal.commit();
  const reader = createJournalReader(dir, { textsStay: true });
  reader.refreshSync();
  const [found] = reader.recordsOfSession("s") as [SpanRecord];
  expect(found.content?.["gen_ai.input.messages"]).toMatchObject({
    bytes: Buffer.byteLength(said),
    text: said,
  });
  expect(JSON.parse(JSON.stringify(found))).toEqual(long);
  journal.closeSync();
});

test("large requests, whose memory goes round, are all there as they came, however they were written", async () => {
  const journal = openJournal({ dir });
  const large = (n: number): SpanRecord => ({
    ...record(n),
    attributes: { text: `${n} `.repeat(40_000 + n) },
  });
  const all = Array.from({ length: 24 }, (_, n) => large(n + 1));
  for (let at = 0; at < all.length; at += 3) {
    const committed = all.slice(at, at + 3).map((one) => {
      expect(journal.appendSpans([encoded("s", one)])).toBe(true);
      // At the end of a process, or before it reads its own journal: while a write is under way.
      if (at % 2 === 0) journal.flushSync();
      return journal.commit();
    });
    expect(await Promise.all(committed)).toEqual([true, true, true]);
  }
  journal.closeSync();
  const reader = createJournalReader(dir);
  reader.refreshSync();
  // A write that was under way may have been done twice.
  const read = new Map(
    reader.recordsOfTraces(["1".repeat(32)]).map((one) => [JSON.stringify(one), one]),
  );
  expect([...read.values()]).toEqual(all);
});
