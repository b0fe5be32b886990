import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FlowRecord, SpanRecord } from "@thoughtflow/schema";
import { afterEach, beforeEach } from "vitest";
import { type Journal, openJournal } from "../src/journal.ts";

/** A flow directory that nobody has made yet, another for each test of a file that says `eachInItsDirectory()`. */
export let dir: string;

export function eachInItsDirectory(): void {
  beforeEach(() => {
    dir = join(mkdtempSync(join(tmpdir(), "journal-")), "flow");
  });
  afterEach(() => {
    rmSync(join(dir, ".."), { recursive: true });
  });
}

/** A span of the session "s" with this number. */
export function span(number: number, more: Partial<SpanRecord> = {}): SpanRecord {
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

/** Where a journal writes. */
export function pathOf(journal: Journal, extension = "tfj"): string {
  return join(dir, ".journal", `${journal.writer}.${extension}`);
}

/** One writer, written and closed: the path of its journal. */
export function written(records: readonly FlowRecord[]): string {
  const journal = openJournal({ dir });
  for (const record of records) journal.append(record);
  journal.settleSync();
  journal.closeSync();
  return pathOf(journal);
}
