import type { SpanRecord } from "@thoughtflow/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { plainRecord } from "../testing/plain-record.ts";
import { excerptBytes } from "./excerpt.ts";
import { decodeProtobufRequest, decodeRequestInBrief } from "./protobuf-decode.ts";
import { encodeProtobufRequest } from "./protobuf-request.ts";
import { type SpanSigns, scanProtobufRequest } from "./protobuf-scan.ts";
import { spansOfRecords } from "./record-span.ts";

const resource = { "service.name": "test" };
const scope = { name: "test" };

function recordWith(n: number, attributes: SpanRecord["attributes"]): SpanRecord {
  return plainRecord(n + 1, { attributes, resource, scope });
}

/** Few names and few values, so that most of it comes again. */
const name = fc.constantFrom("a", "b", "session.id", "gen_ai.c", "__proto__", "1", "gen_ai.prompt");
const value = fc.oneof(
  fc.constantFrom<SpanRecord["attributes"][string]>("x", "y", 1, 1.5, true, ["x"], ["x", "y"]),
  fc.constant("long".repeat(100)),
);
const pairs = fc.array(fc.tuple(name, value), { maxLength: 8 });
/** Of each span its attributes, in an order of its own. */
const spans = fc.array(pairs, { minLength: 1, maxLength: 20 });

function requestWith(
  all: readonly (readonly (readonly [string, SpanRecord["attributes"][string]])[])[],
): Uint8Array {
  return encodeProtobufRequest(
    spansOfRecords(all.map((some, n) => recordWith(n, Object.fromEntries(some)))),
  );
}

const SIGNS: SpanSigns = {
  sessionNames: ["session.id", "a"],
  lastSessionName: "last",
  isLastSession: (id) => id !== "resp",
  isPerhapsSessionName: (name) => name === "b",
  sessionOf: ({ attributes }) =>
    typeof attributes["b"] === "string" ? attributes["b"] : undefined,
  isFlowName: (one) => one.startsWith("gen_ai."),
};

test("a span says in a request what it says alone, whatever the spans before it say", () => {
  fc.assert(
    fc.property(spans, (all) => {
      const request = requestWith(all);
      const { spans, requestOf } = scanProtobufRequest(request, SIGNS);
      const alone = spans.map((span) => excerptBytes(requestOf([span])));
      const { records } = decodeProtobufRequest(request);
      const each = alone.flatMap((one) => decodeProtobufRequest(one).records);
      expect(records.map((one) => JSON.stringify(one))).toEqual(
        each.map((one) => JSON.stringify(one)),
      );
      expect(spans.map(({ sessionId, isFlow }) => [sessionId, isFlow])).toEqual(
        alone
          .flatMap((one) => scanProtobufRequest(one, SIGNS).spans)
          .map(({ sessionId, isFlow }) => [sessionId, isFlow]),
      );
      const isWanted = (one: string): boolean => one !== "b" && one !== "gen_ai.c";
      const brief = alone.flatMap((one) => decodeRequestInBrief(one, isWanted));
      expect(decodeRequestInBrief(request, isWanted)).toEqual(brief);
    }),
    { numRuns: 300 },
  );
});

test("a name that comes twice has its last value, in the place of its first", () => {
  const once = requestWith([[["a", "x"]], [["a", "y"]], [["b", 1]]]);
  const { spans } = scanProtobufRequest(once, SIGNS);
  /** A `KeyValue` of a span, put behind its last field: a second `a`. */
  const second = Uint8Array.of(74, 8, 10, 1, 97, 18, 3, 10, 1, 122);
  const twice = spans.map(({ place }) =>
    Buffer.concat([once.subarray(place.valueStart, place.end), second]),
  );
  const scopeSpans = Buffer.concat(twice.flatMap((span) => [Uint8Array.of(18, span.length), span]));
  const resourceSpans = Buffer.concat([
    Uint8Array.of(18, 128 + (scopeSpans.length & 127), scopeSpans.length >> 7),
    scopeSpans,
  ]);
  const request = Buffer.concat([
    Uint8Array.of(10, 128 + (resourceSpans.length & 127), resourceSpans.length >> 7),
    resourceSpans,
  ]);
  expect(decodeProtobufRequest(request).records.map(({ attributes }) => attributes)).toEqual([
    { a: "z" },
    { a: "z" },
    { b: 1, a: "z" },
  ]);
});

test("more attributes than there are steps, and more ways than there are, are read all the same", () => {
  const many = Array.from({ length: 300 }, (_, n): [string, number] => [`name ${n}`, n]);
  const others = Array.from({ length: 40 }, (_, n): [string, number][] => [[`other ${n}`, n]]);
  const all = [
    many,
    many,
    ...others,
    ...others,
    many.map(([one, n]): [string, number] => [one, n + 1]),
  ];
  expect(
    decodeProtobufRequest(requestWith(all)).records.map(({ attributes }) => attributes),
  ).toEqual(all.map((some) => Object.fromEntries(some)));
});
