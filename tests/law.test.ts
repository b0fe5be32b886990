import { assemble, recordsFromSession } from "@thoughtflow/assemble";
import {
  decodeJsonRequest,
  decodeProtobufRequest,
  encodeJsonRequest,
  encodeProtobufRequest,
  spansOfRecords,
} from "@thoughtflow/otlp";
import type { FlowRecord, SpanRecord } from "@thoughtflow/schema";
import { canonicalJson } from "@thoughtflow/schema/canonical";
import { jsonOfContent } from "@thoughtflow/schema/content-list";
import { listRecordings, loadExchanges } from "@thoughtflow/testkit";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { type Replay, replayRecordings } from "./recordings/replay-recordings.ts";

let replay: Replay;
let expected: string;

const bytesOf = (records: Iterable<FlowRecord>): string =>
  assemble(records).map(canonicalJson).join("");

beforeAll(async () => {
  const recordings = listRecordings().filter((name) =>
    /tool|history|conversation|chain|background/.test(name),
  );
  replay = await replayRecordings(
    recordings.map((name) => ({ name, exchanges: loadExchanges(name) })),
  );
  expected = bytesOf(replay.records);
});

test("the files of an app are what its records give", () => {
  expect(replay.files.length).toBeGreaterThan(10);
  expect(replay.files.toSorted().join("")).toBe(
    assemble(replay.records).map(canonicalJson).toSorted().join(""),
  );
});

test("the records of real sessions give the same bytes in any order, any number of times", () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...replay.records], { minLength: replay.records.length }),
      fc.subarray([...replay.records], { maxLength: 40 }),
      (shuffled, again) => {
        expect(bytesOf([...shuffled, ...structuredClone(again)])).toBe(expected);
      },
    ),
    { numRuns: 15 },
  );
});

test("records as OTLP carries them, with their content in attributes, give the same bytes", () => {
  const asOtlp = replay.records.map((record) =>
    "traceId" in record && "name" in record ? flattened(record) : record,
  );
  expect(bytesOf(asOtlp)).toBe(expected);
});

test.each(["json", "protobuf"] as const)(
  "every file, sent as OTLP in %s, comes back as it was",
  (form) => {
    for (const text of replay.files) {
      const spans = spansOfRecords(recordsFromSession(JSON.parse(text)));
      const { records, rejected } =
        form === "json"
          ? decodeJsonRequest(Buffer.from(encodeJsonRequest(spans)).toString())
          : decodeProtobufRequest(encodeProtobufRequest(spans));
      expect(rejected).toEqual([]);
      expect(bytesOf(records)).toBe(text);
    }
  },
);

test("records that are lost take nothing else with them", () => {
  const spans = replay.records.filter((record): record is SpanRecord => record.type === "span_end");
  fc.assert(
    fc.property(fc.subarray(spans, { minLength: 1 }), (kept) => {
      const steps = assemble(kept).flatMap((session) =>
        session.conversations.flatMap((run) => run.steps),
      );
      const told = new Set(steps.map((step) => step.span_id));
      const calls = kept.filter((span) => span.name.startsWith("chat"));
      for (const { spanId } of calls) expect(told.has(spanId)).toBe(true);
    }),
    { numRuns: 15 },
  );
});

function flattened({ content = {}, ...record }: SpanRecord): SpanRecord {
  const written = Object.entries(content).map(([name, value]) => [name, jsonOfContent(value)]);
  return { ...record, attributes: { ...record.attributes, ...Object.fromEntries(written) } };
}
