import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SpanRecord } from "@thoughtflow/schema";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { FileSystem } from "./file-system.ts";
import type { JournalReader } from "./growing-journal.ts";
import { openJournal } from "./journal.ts";
import { createSegmentReader } from "./segment-reader.ts";

let dir: string;

beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), "segments-"));
});

afterEach(() => {
  fs.rmSync(dir, { recursive: true });
});

const SEGMENTS = 6;
const LIMIT = 2;

/** A model call in trace `n`; of many, one text is the same. */
function call(n: number, spanId: number, session?: string): SpanRecord {
  return {
    type: "span_end",
    traceId: n.toString(16).padStart(32, "0"),
    spanId: spanId.toString(16).padStart(16, "0"),
    name: "chat",
    kind: "client",
    startTimeUnixNano: "1795183471281000123",
    endTimeUnixNano: "1795183471291000123",
    status: { code: "unset" },
    attributes: session === undefined ? {} : { "session.id": session },
    content: { "gen_ai.tool.definitions": "x".repeat(300), "gen_ai.input.messages": `["${n}"]` },
    events: [],
    links: [],
    scope: { name: "test" },
    resource: { "service.name": "app" },
  };
}

/** Segment `n` has a session of its own, and a call of the session that is in all of them. */
function recordsOf(n: number): SpanRecord[] {
  return [call(n, 1, `own-${n}`), call(100 + n, 2, "long"), call(n, 3)];
}

const OTHERS = Array.from({ length: 100 }, (_, n) => call(1_000 + n, 4));

/** The journals of as many writers stand for the segments of one. */
function segments(): string[] {
  return Array.from({ length: SEGMENTS }, (_, n) => {
    const journal = openJournal({ dir: join(dir, String(n)) });
    for (const record of [...recordsOf(n), ...OTHERS]) journal.append(record);
    journal.closeSync();
    return join(dir, String(n), ".journal", `${journal.writer}.tfj`);
  });
}

function readerOf(paths: readonly string[], fileSystem: FileSystem = fs): JournalReader {
  const list = () => paths.map((path, n) => ({ path, writer: `writer-${n % 2}` }));
  return createSegmentReader({ list, fs: fileSystem, limit: LIMIT });
}

/** A file system that tells how many bytes were read in it. */
function countedReads(): { bytes: number; readonly fs: FileSystem } {
  const readSync = (fd: number, into: Buffer, offset: number, length: number, at: number) => {
    reads.bytes += length;
    return fs.readSync(fd, into, offset, length, at);
  };
  const reads = { bytes: 0, fs: { ...fs, readSync: readSync as FileSystem["readSync"] } };
  return reads;
}

test("a session is found in segments that are not in memory any more", () => {
  const reader = readerOf(segments());
  reader.refreshSync();
  for (let n = 0; n < SEGMENTS; n++) {
    const [first, , unnamed] = recordsOf(n);
    expect(reader.recordsOfSession(`own-${n}`)).toEqual([first, unnamed]);
    reader.refreshSync();
  }
  expect(reader.recordsOfSession("long")).toHaveLength(SEGMENTS);
  expect(reader.recordsOfTraces([call(100, 2).traceId])).toEqual([call(100, 2, "long")]);
});

test("where a session is can be told without its records, also of segments that are not in memory any more", () => {
  const reader = readerOf(segments());
  reader.refreshSync();
  const { traceIds, count, decisions } = reader.placesOfSession("long");
  expect({ count, decisions }).toEqual({ count: SEGMENTS, decisions: [] });
  expect([...traceIds].sort()).toEqual(
    Array.from({ length: SEGMENTS }, (_, n) => call(100 + n, 2).traceId),
  );
  expect(reader.placesOfSession("nobody")).toMatchObject({
    traceIds: [],
    count: 0,
    decisions: [],
  });
});

test("the spans of traces come in turns, as places and in the order in which they were written, of whatever segment", () => {
  const reader = readerOf(segments());
  reader.refreshSync();
  const places = reader.placesOfSession("long");
  const wanted = new Set(places.traceIds.slice(0, -1));
  const inTurns = [...places.spansInTurns(wanted)].flat();
  expect(inTurns).toEqual([...wanted].flatMap((trace) => reader.recordsOfTraces([trace])));
  expect([...reader.spansInTurns(wanted)].flat()).toEqual(inTurns);
  const [first = ""] = wanted;
  const starts = (of: typeof places | typeof reader) =>
    [...of.placesOfTrace(first)].map(({ start, type }) => ({ start, type }));
  expect(starts(places)).toEqual([{ start: expect.any(Number), type: "span_end" }]);
  expect(starts(reader)).toEqual(starts(places));
  expect([...places.spansInTurns(new Set(["none"]))]).toEqual([]);
});

test("of a segment that is not in memory any more only the frames are read that are asked for", () => {
  const paths = segments();
  const reads = countedReads();
  const reader = readerOf(paths, reads.fs);
  reader.refreshSync();
  reads.bytes = 0;
  expect(reader.recordsOfTraces([call(100, 2).traceId])).toEqual([call(100, 2, "long")]);
  expect(reads.bytes).toBeGreaterThan(0);
  const [first = ""] = paths;
  expect(reads.bytes).toBeLessThan(fs.statSync(first).size / 5);
  reads.bytes = 0;
  expect(reader.recordsOfSession("nobody")).toEqual([]);
  expect(reads.bytes).toBe(0);
});

test("a segment that is not in memory any more is opened a few times, however many texts are asked for", () => {
  const texts = Array.from({ length: 100 }, (_, n) => `${n} `.repeat(300));
  const journal = openJournal({ dir });
  for (const [n, text] of texts.entries())
    journal.append({
      ...call(5_000, n + 1, "texts"),
      content: { "gen_ai.tool.definitions": text },
    });
  journal.closeSync();
  const path = join(dir, ".journal", `${journal.writer}.tfj`);
  let opened = 0;
  const reader = readerOf([path, ...segments()], {
    ...fs,
    openSync: ((...args: Parameters<typeof fs.openSync>) => {
      if (args[0] === path) opened++;
      return fs.openSync(...args);
    }) as FileSystem["openSync"],
  });
  reader.refreshSync();
  opened = 0;
  const found = reader
    .recordsOfSession("texts")
    .map((record) => "content" in record && record.content);
  const wanted = texts.map((text) => ({ "gen_ai.tool.definitions": text }));
  expect(found).toEqual(wanted);
  expect(opened).toBeLessThan(5);
});

test("all records and sessions are there, whatever is in memory", () => {
  const reader = readerOf(segments());
  reader.refreshSync();
  expect(reader.records()).toHaveLength((3 + OTHERS.length) * SEGMENTS);
  const own = Array.from({ length: SEGMENTS }, (_, n) => `own-${n}`);
  expect(reader.sessionIds().toSorted()).toEqual(["long", ...own]);
});

test("a segment that grows after it was let go is read whole", () => {
  const paths = segments();
  const reader = readerOf(paths);
  reader.refreshSync();
  const [first = "", second = ""] = paths;
  fs.appendFileSync(first, fs.readFileSync(second));
  reader.refreshSync();
  expect(reader.recordsOfSession("own-0")).toHaveLength(2);
  expect(reader.recordsOfTraces([call(101, 2).traceId]).length).toBeGreaterThan(0);
});

test("many records of a segment that is not in memory any more have it read whole, once", () => {
  const many = Array.from({ length: 600 }, (_, n) => call(5_000 + n, n));
  const journal = openJournal({ dir: join(dir, "many") });
  for (const record of many) journal.append(record);
  journal.closeSync();
  const path = join(dir, "many", ".journal", `${journal.writer}.tfj`);
  const reads = countedReads();
  const reader = readerOf([path, ...segments(), ...segments()], reads.fs);
  reader.refreshSync();
  reads.bytes = 0;
  const found = reader.recordsOfTraces(many.map(({ traceId }) => traceId));
  expect(found).toEqual(many);
  expect(reads.bytes).toBeLessThan(3 * fs.statSync(path).size);
});

test.each([499, 500, 501, 502, 1_200])(
  "a session of %d records is found whole in a segment that is not in memory any more",
  (count) => {
    const many = Array.from({ length: count }, (_, n) => call(5_000 + n, n, "many"));
    const journal = openJournal({ dir: join(dir, "many") });
    for (const record of [call(4_000, 1, "other"), ...many]) journal.append(record);
    journal.closeSync();
    const path = join(dir, "many", ".journal", `${journal.writer}.tfj`);
    const reader = readerOf([path, ...segments(), ...segments()]);
    reader.refreshSync();
    expect(reader.recordsOfSession("many")).toEqual(many);
    expect(reader.recordsOfSession("other")).toHaveLength(1);
  },
);

test("of a session only the journals are read that name it", () => {
  const opened: string[] = [];
  const openSync: FileSystem["openSync"] = (path, ...others) => {
    opened.push(String(path));
    return fs.openSync(path, ...others);
  };
  const paths = Array.from({ length: 20 }, (_, n) => {
    const journal = openJournal({ dir: join(dir, String(n)) });
    journal.append(call(n, 1, `own-${n}`));
    if (n % 10 === 0) journal.append(call(n, 2, "shared"));
    journal.closeSync();
    return join(dir, String(n), ".journal", `${journal.writer}.tfj`);
  });
  const list = () => paths.map((path, n) => ({ writer: String(n), path }));
  const reader = createSegmentReader({ list, fs: { ...fs, openSync } });
  reader.refreshSync();
  opened.length = 0;
  expect(reader.recordsOfSession("own-7")).toHaveLength(1);
  expect(reader.recordsOfSession("shared")).toHaveLength(4);
  expect(reader.recordsOfSession("nobody's")).toEqual([]);
  expect(new Set(opened)).toEqual(new Set([paths[7], paths[0], paths[10]]));
});
