import * as nodeFileSystem from "node:fs";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FlowRecord, SpanRecord } from "@thoughtflow/schema";
import { createFaultyFileSystem } from "@thoughtflow/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Compaction, type CompactionOptions, compactJournals } from "./compact-journals.ts";
import { addFrame } from "./frame.ts";
import { createFrameBuffer } from "./frame-buffer.ts";
import { identityOf } from "./process-identity.ts";
import { readJournals } from "./read-journal.ts";
import { createRecordEncoder } from "./record-encoder.ts";

let dir: string;
let folder: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "compact-"));
  folder = join(dir, ".journal");
  mkdirSync(folder);
});
afterEach(() => rmSync(dir, { recursive: true }));

const text = "t".repeat(500);

function span(type: SpanRecord["type"], number: number): SpanRecord {
  return {
    type,
    traceId: "a".repeat(32),
    spanId: number.toString(16).padStart(16, "0"),
    name: "step",
    kind: "internal",
    startTimeUnixNano: "1",
    ...(type === "span_end" && { endTimeUnixNano: "2" }),
    status: { code: "unset" },
    attributes: { "session.id": "s" },
    content: { text },
    events: [],
    links: [],
    scope: { name: "test" },
    resource: {},
  };
}

/** The journal of a process that has ended; settled unless told otherwise. */
function journalOf(writer: string, records: readonly FlowRecord[], isSettled = true): string {
  const head = { writer, segment: 1, ...identityOf(process.pid), started: "1" };
  const frames = createFrameBuffer();
  const encoder = createRecordEncoder(frames);
  addFrame(frames, "writer", JSON.stringify(head));
  for (const record of records) encoder.encode(record);
  const bytes = frames.take();
  const path = join(folder, `${writer}.tfj`);
  writeFileSync(path, bytes);
  const list = JSON.stringify({ bytes: bytes.length, sessions: ["s"] });
  if (isSettled) writeFileSync(join(folder, `${writer}.idx`), list);
  utimesSync(path, 1, 1);
  return path;
}

function compact(options?: CompactionOptions): Compaction {
  const steps = compactJournals(dir, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const bySpan = (records: readonly FlowRecord[]) =>
  records.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

it("puts ended journals together, each record and each text once", async () => {
  journalOf("a", [span("span_start", 1), span("span_end", 1), span("span_end", 1)]);
  journalOf("b", [span("span_end", 2), span("span_start", 3)]);
  const { journals, bytesBefore, bytesAfter } = compact();
  expect(journals).toBe(2);
  expect(bytesAfter).toBeLessThan(bytesBefore);
  const kept = [span("span_end", 1), span("span_end", 2), span("span_start", 3)];
  expect(bySpan(await readJournals(dir))).toEqual(bySpan(kept));
  const [path = "", ...rest] = readdirSync(folder).filter((name) => name.endsWith(".tfj"));
  expect(rest).toEqual([]);
  expect(readFileSync(join(folder, path), "latin1").split(text)).toHaveLength(2);
  expect(readdirSync(folder)).toHaveLength(2);
});

it("leaves journals alone that somebody has to adopt, that are too long, or whose process runs", () => {
  const unsettled = journalOf("a", [span("span_end", 1)], false);
  const long = journalOf("b", [span("span_end", 2)]);
  const before = [unsettled, long].map((path) => readFileSync(path));
  expect(compact({ mostBytes: 10 })).toEqual({ journals: 0, bytesBefore: 0, bytesAfter: 0 });
  expect([unsettled, long].map((path) => readFileSync(path))).toEqual(before);
});

it("keeps what it is told to keep, and what a writer counted as lost", async () => {
  journalOf("a", [span("span_end", 1), span("span_end", 2)]);
  writeFileSync(join(folder, "a.state.json"), JSON.stringify({ dropped: 3 }));
  compact({
    keep: (record) => ("spanId" in record && record.spanId?.endsWith("1") ? record : undefined),
  });
  expect(await readJournals(dir)).toEqual([span("span_end", 1)]);
  expect(readdirSync(folder)).toContain("a.state.json");
});

it("loses no record when any single call fails", async () => {
  const records = [span("span_end", 1), span("span_end", 2)];
  for (let failing = 0, calls = 1; failing < calls; failing++) {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    journalOf("a", records.slice(0, 1));
    journalOf("b", records.slice(1));
    const faulty = createFaultyFileSystem(nodeFileSystem, {
      codeFor: ({ number }) => (number === failing ? "EIO" : undefined),
    });
    try {
      compact({ fs: faulty.fs });
    } catch (error) {
      expect(error).toMatchObject({ code: "EIO" });
    }
    calls = faulty.calls.length;
    const spans = new Set((await readJournals(dir)).map((one) => "spanId" in one && one.spanId));
    expect([...spans].sort()).toEqual(records.map(({ spanId }) => spanId));
  }
});
