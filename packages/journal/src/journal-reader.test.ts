import * as fs from "node:fs";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FlowRecord } from "@thoughtflow/schema";
import { describe, expect, it } from "vitest";
import "../testing/shared-lists.ts";
import { dir, eachInItsDirectory, pathOf, span, written } from "../testing/written-journal.ts";
import { openJournal } from "./journal.ts";
import { createJournalReader } from "./journal-reader.ts";

eachInItsDirectory();

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
    expect(reader.placesOfSession("s").recordsOfTraces([traceId])).toEqual([]);
    expect(opened).not.toContain(path);
    expect(reader.placesOfSession("t").recordsOfTraces([traceId])).toEqual([ofT]);
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
