import { sessionIdOf } from "@thoughtflow/dialects/spans";
import type { SpanRecord } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { createHeldRecords, type HeldRecordsOptions } from "./held-records.ts";
import { createTraceSessions } from "./trace-sessions.ts";

/** Takes note of each record once it was taken. */
function holding(options: Omit<HeldRecordsOptions, "traces"> = {}) {
  const traces = createTraceSessions();
  const held = createHeldRecords({ ...options, traces });
  return {
    ...held,
    take(record: SpanRecord, bytes: number) {
      held.take(record, bytes);
      traces.take(record.traceId, sessionIdOf(record));
    },
  };
}

test("a session's records are given out once", () => {
  const held = holding();
  const [one, two] = [span("s1", "a"), span("s1", "b")];
  for (const record of [one, span("s2", "c"), two]) held.take(record, 10);
  expect(held.release("s1")).toEqual([one, two]);
  expect(held.release("s1")).toBeUndefined();
  held.take(span("s1", "a"), 10);
  expect(held.release("s1")).toBeUndefined();
});

test("a session that goes beyond the bound is in the journal alone, and makes room for others", () => {
  const held = holding({ mostBytes: 25 });
  for (const trace of ["a", "b", "c"]) held.take(span("long", trace), 10);
  const other = span("short", "d");
  held.take(other, 20);
  expect(held.release("long")).toBeUndefined();
  expect(held.release("short")).toEqual([other]);
});

test("what is not held any more is told once, without the record that is in the journal alone", () => {
  const told: [string, number][] = [];
  const held = holding({
    mostBytes: 25,
    onLetGo: (id, records) => told.push([id, records.length]),
  });
  for (const trace of ["a", "b"]) held.take(span("s", trace), 10);
  expect(held.of("s")).toHaveLength(2);
  expect(told).toEqual([]);
  for (const trace of ["c", "d"]) held.take(span("s", trace), 10);
  expect(held.of("s")).toBeUndefined();
  held.take(span("given out", "e"), 10);
  held.release("given out");
  expect(told).toEqual([["s", 2]]);
});

test("sessions that share a trace are in the journal alone", () => {
  const held = holding();
  const other = span("s3", "b");
  for (const record of [span("s1", "a"), span("s2", "a"), other]) held.take(record, 10);
  expect(["s1", "s2", "s3"].map(held.release)).toEqual([undefined, undefined, [other]]);
});

test("nothing is held once a span names no session", () => {
  const held = holding();
  for (const record of [span("s1", "a"), span(undefined, "b"), span("s1", "c")])
    held.take(record, 10);
  expect(held.release("s1")).toBeUndefined();
});

function span(session: string | undefined, trace: string): SpanRecord {
  return {
    type: "span_end",
    traceId: trace.repeat(32),
    spanId: "1".repeat(16),
    name: "work",
    kind: "internal",
    startTimeUnixNano: "1",
    endTimeUnixNano: "2",
    status: { code: "unset" },
    attributes: session === undefined ? {} : { "session.id": session },
    events: [],
    links: [],
    scope: { name: "test" },
    resource: {},
  };
}
