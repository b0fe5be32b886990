import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal, readDocument } from "@thoughtflow/journal";
import type { FlowRecord, Session } from "@thoughtflow/schema";
import { canonicalJson } from "@thoughtflow/schema/canonical";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toolCallRecord } from "../testing/tool-call-record.ts";
import { createSessionWriter, type SessionWriter } from "./session-writer.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "thoughtflow-in-parts-"));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

const PART_BYTES = 16_000;

function toolCall(n: number): FlowRecord {
  return toolCallRecord(n, "s", "said ".repeat(400));
}

interface Flow {
  readonly sessions: SessionWriter;
  record(calls: number): void;
  readonly failures: unknown[];
}

function flowIn(place: string, partBytes?: number): Flow {
  const journal = openJournal({ dir: place });
  const failures: unknown[] = [];
  const sessions = createSessionWriter({
    dir: place,
    journal,
    now: () => performance.now(),
    onFailure: (problem) => failures.push(problem),
    ...(partBytes !== undefined && { partBytes }),
  });
  let count = 0;
  return {
    sessions,
    failures,
    record(calls) {
      for (const last = count + calls; count < last; count++)
        sessions.recorded("s", journal.append(toolCall(count)));
    },
  };
}

function bytesWritten({ sessions }: Flow): number {
  return Object.values(sessions.counters.bytesWritten).reduce((sum, bytes) => sum + bytes, 0);
}

function partsIn(place: string): string[] {
  return existsSync(join(place, "s")) ? readdirSync(join(place, "s")) : [];
}

const writers: readonly (readonly [string, number, (sessions: SessionWriter) => unknown])[] = [
  ["by the process", 40, (sessions) => sessions.flush()],
  ["at its end", 40, (sessions) => sessions.flushSync()],
  ["by a thread", 160, (sessions) => sessions.flush()],
];

test.each(writers)(
  "a long session is written in parts %s, and says the same",
  async (_, calls, write) => {
    const [parted, whole] = [join(dir, "parted"), join(dir, "whole")];
    const [flow, other] = [flowIn(parted, PART_BYTES), flowIn(whole)];
    for (let times = 0; times < 2; times++) {
      for (const { record, sessions } of [flow, other]) {
        record(calls);
        await write(sessions);
      }
      const document = readDocument(join(parted, "s.json"));
      const text = canonicalJson(document.session as Session);
      document.close();
      expect(text).toBe(readFileSync(join(whole, "s.json"), "utf8"));
      const { parts } = JSON.parse(readFileSync(join(parted, "s.json"), "utf8"));
      expect(parts.length).toBeGreaterThan(2);
      expect(
        partsIn(parted)
          .map((name) => `s/${name}`)
          .sort(),
      ).toEqual(parts.map(({ path }: { path: string }) => path).sort());
      expect(flow.sessions.counters).toMatchObject({ documentsFailed: 0 });
    }
    // Its parts count.
    expect(bytesWritten(flow)).toBeGreaterThan(bytesWritten(other));
    expect([...flow.failures, ...other.failures]).toEqual([]);
    expect(partsIn(whole)).toEqual([]);
    flow.sessions.moved("s");
    await flow.sessions.flush();
    expect(existsSync(join(parted, "s"))).toBe(false);
  },
);

test("a process that knows nothing new leaves the parts of a session alone", async () => {
  const first = flowIn(dir, PART_BYTES);
  first.record(40);
  await first.sessions.flush();
  const before = partsIn(dir);
  const second = flowIn(dir, PART_BYTES);
  expect(await second.sessions.adopt("s")).toBe(true);
  expect(partsIn(dir)).toEqual(before);
});
