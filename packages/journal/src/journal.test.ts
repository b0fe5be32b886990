import * as fs from "node:fs";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ContentList, FlowRecord, SpanRecord } from "@thoughtflow/schema";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import "../testing/shared-lists.ts";
import { type Journal, openJournal } from "./journal.ts";
import { createJournalReader } from "./journal-reader.ts";
import { readJournal, readJournalSync, readJournals } from "./read-journal.ts";

/** For what comes by itself, however slow the machine. */
const PATIENTLY = { timeout: 60_000 };

let dir: string;

beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), "journal-")), "flow");
});

afterEach(() => {
  rmSync(join(dir, ".."), { recursive: true });
});

function span(number: number, more: Partial<SpanRecord> = {}): SpanRecord {
  return {
    type: "span_end",
    traceId: "0123456789abcdef".repeat(2),
    spanId: number.toString(16).padStart(16, "0"),
    name: "chat gpt-4o",
    kind: "client",
    startTimeUnixNano: "1795183471281000123",
    endTimeUnixNano: "1795183471291000123",
    status: { code: "unset" },
    attributes: { "session.id": "s", "thoughtflow.seq": number },
    events: [{ name: "event", timeUnixNano: "1795183471281000123", attributes: {} }],
    links: [],
    scope: { name: "test" },
    resource: { "service.name": "app", "process.pid": 1 },
    ...more,
  };
}

function pathOf(journal: Journal, extension = "tfj"): string {
  return join(dir, ".journal", `${journal.writer}.${extension}`);
}

/** One writer, written and closed. */
function written(records: readonly FlowRecord[]): string {
  const journal = openJournal({ dir });
  for (const record of records) journal.append(record);
  journal.settleSync();
  journal.closeSync();
  return pathOf(journal);
}

describe("a journal", () => {
  it("gives back every record as it was", async () => {
    const records: FlowRecord[] = [
      span(1, { type: "span_start", content: { "gen_ai.input.messages": ['{"a":1}', "{}"] } }),
      span(1, {
        parentSpanId: "00000000000000ff",
        parentIsRemote: true,
        status: { code: "error", message: "no" },
        content: {
          "gen_ai.input.messages": ['{"a":1}', "{}", '"é😀"'],
          "gen_ai.output.messages": "[]",
          "gen_ai.tool.definitions": `["${"x".repeat(500)}"]`,
          empty: [],
        },
        droppedLinksCount: 3,
      }),
      span(2, { content: {} }),
      {
        type: "session",
        sessionId: "s",
        status: "completed",
        reason: "idle_timeout",
        timeUnixNano: "1",
      },
      { type: "tombstone", sessionId: "s", traceId: "t", spanId: "u" },
    ];
    const path = written(records);
    expect(await readJournal(path)).toEqual({ records, damaged: [] });
    expect(readJournalSync(readFileSync(path)).records).toEqual(records);
    expect(await readJournals(dir)).toEqual(records);
    expect(await readJournals(dir, { filter: () => false })).toEqual([]);
  });

  it("gives back any records, however they are flushed", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("a", "b", "x".repeat(200)),
    );
    const content = fc.dictionary(fc.string(), fc.oneof(text, fc.array(text)), { maxKeys: 3 });
    const step = fc.record({ content, flush: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const journal = openJournal({ dir });
        const records = steps.map(({ content }, index) => span(index, { content: { ...content } }));
        for (const [index, record] of records.entries()) {
          journal.append(record);
          if (steps[index]?.flush === true) journal.flushSync();
        }
        const read = journal.recordsOfSession("s");
        journal.closeSync();
        // Texts stay in the journal until they are looked at.
        expect(JSON.parse(JSON.stringify(read))).toEqual(records);
      }),
      { numRuns: 50 },
    );
  });

  it("writes each text once, so that a history grows it by what is new", () => {
    const history: string[] = [];
    const records: SpanRecord[] = [];
    for (let call = 0; call < 100; call++) {
      history.push(`{"question":"${call} ${"q".repeat(1_000)}"}`, `{"answer":"${call}"}`);
      records.push(span(call, { content: { "gen_ai.input.messages": [...history] } }));
    }
    const path = written(records);
    expect(statSync(path).size).toBeLessThan(250_000);

    const read = readJournalSync(path).records as SpanRecord[];
    expect(read).toEqual(records);
    const [last, next] = [read[98], read[99]].map((r) => r?.content?.["gen_ai.input.messages"]);
    expect((next as ContentList).before?.before).toBe(last);
  });

  it("tells branches of a history apart", () => {
    const lists = [
      ["a"],
      ["a", "b"],
      ["a", "c"],
      ["a", "b", "d"],
      ["a", "c", "d"],
      ["a", "b"],
      ["b"],
    ];
    const records = lists.map((list, index) => span(index, { content: { list } }));
    expect(readJournalSync(written(records)).records).toEqual(records);
  });

  it("keeps every whole record wherever the file is cut off", () => {
    const list = ["one", "two", "three"];
    const records = list.map((_, index) =>
      span(index, { content: { list: list.slice(0, index + 1) } }),
    );
    const bytes = readFileSync(written(records));
    let most = 0;
    for (let length = 0; length <= bytes.length; length++) {
      const read = readJournalSync(bytes.subarray(0, length)).records;
      expect(read).toEqual(records.slice(0, read.length));
      expect(read.length).toBeGreaterThanOrEqual(most);
      most = read.length;
    }
    expect(most).toBe(3);
  });

  it("leaves out content whose text was damaged, and keeps the record", () => {
    const records = [span(1, { content: { list: ["kept"], long: "l".repeat(200) } }), span(2)];
    const bytes = readFileSync(written(records));
    const at = bytes.indexOf("llll");
    bytes[at] = 0;
    const read = readJournalSync(bytes);
    expect(read.records).toEqual([span(1, { content: { list: ["kept"] } }), span(2)]);
    expect(read.damaged).toHaveLength(1);
  });

  it("makes its files for the user alone, at the first record and not before", () => {
    const journal = openJournal({ dir });
    journal.flushSync();
    expect(existsSync(dir)).toBe(false);
    journal.append(span(1));
    journal.flushSync();
    const path = pathOf(journal);
    const modes = [dir, join(dir, ".journal"), path, pathOf(journal, "state.json")].map(
      (made) => statSync(made).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
    expect(readFileSync(join(dir, ".gitignore"), "utf8")).toBe("*\n");
    journal.closeSync();
  });

  it("writes within 100 ms by itself and does not keep the process alive", async () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    const journal = openJournal({ dir });
    journal.append(span(1));
    expect(timers()).toBe(before);
    await vi.waitFor(() => expect(journal.counters.written).toBe(1), PATIENTLY);
    journal.closeSync();
  });

  it("is one for a process and directory until the last has closed it", () => {
    const [first, second] = [openJournal({ dir }), openJournal({ dir: join(dir, "x", "..") })];
    expect(second).toBe(first);
    first.closeSync();
    second.append(span(1));
    second.closeSync();
    second.append(span(2));
    expect(first.counters).toMatchObject({ appended: 2, written: 1, dropped: 1 });
    const third = openJournal({ dir });
    expect(third).not.toBe(first);
    third.closeSync();
  });

  it("says in its state file what it did, with what the caller counts", async () => {
    const journal = openJournal({ dir, state: () => ({ late: 2 }) });
    journal.append(span(1));
    await journal.flush();
    expect(JSON.parse(readFileSync(pathOf(journal, "state.json"), "utf8"))).toEqual({
      writer: journal.writer,
      pid: process.pid,
      appended: 1,
      written: 1,
      dropped: 0,
      bytes: journal.counters.bytes,
      failures: {},
      late: 2,
    });
    journal.closeSync();

    const broken = openJournal({
      dir,
      state() {
        throw new Error("no");
      },
    });
    broken.append(span(1));
    await broken.flush();
    broken.closeSync();
    expect(existsSync(pathOf(broken, "state.json"))).toBe(false);
  });

  it("drops and counts a record that is no JSON, and nothing else", () => {
    const journal = openJournal({ dir });
    const broken = span(2, {
      content: { list: ["new"] },
      attributes: { a: 1n as unknown as number },
    });
    const records = [span(1), span(3, { content: { list: ["new"] } })];
    for (const record of [span(1), broken, records[1] as SpanRecord]) journal.append(record);
    expect(journal.recordsOfSession("s")).toEqual(records);
    expect(journal.counters).toMatchObject({ written: 2, dropped: 1, failures: { TypeError: 1 } });
    journal.closeSync();
  });
});

describe("reading back", () => {
  const other = "f".repeat(32);

  it("finds the spans of traces and of sessions, and what was decided", () => {
    const journal = openJournal({ dir });
    const mine = [span(1), span(2, { attributes: {} })];
    const foreign = span(3, { traceId: other, attributes: { "session.id": "t" } });
    const end: FlowRecord = {
      type: "session",
      sessionId: "s",
      status: "completed",
      reason: "session_finalized",
      timeUnixNano: "1",
    };
    for (const record of [...mine, foreign, end]) journal.append(record);
    expect(journal.recordsOfTraces([other, "none", other])).toEqual([foreign]);
    expect(journal.recordsOfSession("s")).toEqual([...mine, end]);
    expect(journal.recordsOfSession("none")).toEqual([]);
    expect(journal.sessionIds()).toEqual(["s", "t"]);
    journal.closeSync();
  });

  it("follows the journals of others, reading only what is new", async () => {
    const journal = openJournal({ dir });
    const reader = createJournalReader(dir);
    expect(reader.records()).toEqual([]);
    journal.append(span(1));
    journal.flushSync();
    await Promise.all([reader.refresh(), reader.refresh()]);
    expect(reader.records()).toEqual([span(1)]);
    journal.append(span(2));
    journal.flushSync();
    reader.refreshSync();
    expect(reader.recordsOfTraces([span(1).traceId])).toEqual([span(1), span(2)]);
    journal.closeSync();

    // A second writer, and files that are none of ours.
    written([span(3)]);
    writeFileSync(join(dir, ".journal", "broken.tfj"), "no journal");
    symlinkSync(pathOf(journal), join(dir, ".journal", "link.tfj"));
    mkdirSync(join(dir, ".journal", "folder.tfj"));
    await reader.refresh();
    const ids = reader.recordsOfSession("s").map((record) => "spanId" in record && record.spanId);
    expect(ids.sort()).toEqual([span(1).spanId, span(2).spanId, span(3).spanId]);
    expect(reader.sessionIds()).toEqual(["s"]);
  });

  it("does not read the journal of an ended process that has nothing of the session", () => {
    const traceId = "b".repeat(32);
    const ofT = span(1, { traceId, attributes: { "session.id": "t" } });
    const path = written([ofT]);
    const opened: unknown[] = [];
    const openSync: typeof fs.openSync = (...args) => {
      opened.push(args[0]);
      return fs.openSync(...args);
    };
    const reader = createJournalReader(dir, { fs: { ...fs, openSync } });
    reader.refreshSync();
    expect([reader.recordsOfSession("s"), reader.sessionIds()]).toEqual([[], ["t"]]);
    expect(opened).not.toContain(path);
    expect(reader.recordsOfSession("t")).toEqual([ofT]);
    expect(opened).toContain(path);

    // A list that is out of date is not believed.
    const late = span(2, { traceId });
    const other = written([late]);
    fs.appendFileSync(path, fs.readFileSync(other));
    const again = createJournalReader(dir, { filter: (writer) => path.includes(writer) });
    again.refreshSync();
    expect(again.recordsOfSession("s")).toEqual([ofT, late]);
  });

  it("takes in a frame that was only half written when it looked", () => {
    const bytes = readFileSync(written([span(1), span(2)]));
    const path = join(dir, ".journal", "1-a.tfj");
    const reader = createJournalReader(dir, { filter: (writer) => writer === "1-a" });
    for (let length = 0; length <= bytes.length; length += 50) {
      writeFileSync(path, bytes.subarray(0, length));
      reader.refreshSync();
    }
    writeFileSync(path, bytes);
    reader.refreshSync();
    expect(reader.records()).toEqual([span(1), span(2)]);
  });
});

describe("a hostile directory", () => {
  it("goes on in a new directory when its own is deleted", () => {
    const journal = openJournal({ dir });
    journal.append(span(1, { content: { list: ["said before"] } }));
    journal.flushSync();
    journal.recordsOfSession("s");
    rmSync(dir, { recursive: true });
    const later = span(2, { content: { list: ["said before", "said now"] } });
    journal.append(later);
    journal.flushSync();
    const own = journal
      .recordsOfSession("s")
      .filter((one) => "spanId" in one && one.spanId === later.spanId);
    expect(own).toEqual([later]);
    journal.closeSync();
    expect(readdirSync(join(dir, ".journal")).sort()).toEqual([
      `${journal.writer}.2.tfj`,
      `${journal.writer}.state.json`,
    ]);
    const reader = createJournalReader(dir);
    reader.refreshSync();
    const read = reader.records() as SpanRecord[];
    expect(read.map((record) => record.spanId)).toEqual([later.spanId]);
  });

  it("does not write through a link in place of its folder", () => {
    const elsewhere = join(dir, "..", "elsewhere");
    mkdirSync(elsewhere);
    mkdirSync(dir);
    symlinkSync(elsewhere, join(dir, ".journal"));
    const codes: string[] = [];
    const journal = openJournal({ dir, onFailure: (code) => codes.push(code) });
    journal.append(span(1));
    journal.flushSync();
    expect(codes).toEqual(["ENOTDIR"]);
    journal.closeSync();
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(journal.counters).toMatchObject({ appended: 1, written: 0, dropped: 1 });
  });

  it("holds what it can't write, reads it back, and writes it once it can", async () => {
    writeFileSync(dir, "a file where the directory should be");
    const journal = openJournal({ dir });
    const records = [
      span(1, { content: { list: ["a"] } }),
      span(2, { content: { list: ["a", "b"] } }),
    ];
    for (const record of records) {
      journal.append(record);
      await journal.flush();
    }
    expect(journal.recordsOfSession("s")).toEqual(records);
    expect(journal.counters.written).toBe(0);
    rmSync(dir);
    await journal.flush();
    expect(journal.counters).toMatchObject({ written: 2, dropped: 0 });
    expect(await readJournals(dir)).toEqual(records);
    journal.closeSync();
  });

  it("retries by itself", async () => {
    writeFileSync(dir, "");
    const journal = openJournal({ dir });
    journal.append(span(1));
    await vi.waitFor(() => expect(journal.counters.failures).not.toEqual({}), PATIENTLY);
    rmSync(dir);
    await vi.waitFor(() => expect(journal.counters.written).toBe(1), PATIENTLY);
    journal.closeSync();
  });

  it("moves with its directory", () => {
    const journal = openJournal({ dir });
    journal.append(span(1));
    journal.flushSync();
    renameSync(dir, `${dir}-moved`);
    journal.append(span(2));
    journal.closeSync();
    const path = join(`${dir}-moved`, ".journal", `${journal.writer}.tfj`);
    expect(readJournalSync(path).records).toEqual([span(1), span(2)]);
  });
});
