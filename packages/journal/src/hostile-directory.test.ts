import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SpanRecord } from "@thoughtflow/schema";
import { describe, expect, it, vi } from "vitest";
import "../testing/shared-lists.ts";
import { dir, eachInItsDirectory, span } from "../testing/written-journal.ts";
import { openJournal } from "./journal.ts";
import { createJournalReader } from "./journal-reader.ts";
import { readJournalSync, readJournals } from "./read-journal.ts";

eachInItsDirectory();

/** For what comes by itself, however slow the machine. */
const PATIENTLY = { timeout: 60_000 };

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
