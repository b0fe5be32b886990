import type { SpanRecord } from "@thoughtflow/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyRecords } from "../testing/any-record.ts";
import { plainRecord } from "../testing/plain-record.ts";
import { excerptBytes } from "./excerpt.ts";
import { decodeProtobufRequest, decodeRequestInBrief } from "./protobuf-decode.ts";
import { encodeProtobufRequest } from "./protobuf-request.ts";
import { type SpanSigns, scanProtobufRequest } from "./protobuf-scan.ts";
import { spansOfRecords } from "./record-span.ts";

const SIGNS: SpanSigns = {
  sessionNames: ["session.id", "conversation"],
  lastSessionName: "last",
  isLastSession: (id) => id !== "resp",
  isPerhapsSessionName: (name) => name === "b",
  sessionOf: ({ attributes }) =>
    typeof attributes["b"] === "string" ? attributes["b"] : undefined,
  isFlowName: (name) => name.startsWith("gen_ai."),
};
const requests = anyRecords.map((records) => encodeProtobufRequest(spansOfRecords(records)));

test("some spans of a request are a request, and say what they said", () => {
  fc.assert(
    fc.property(requests, fc.integer(), (request, seed) => {
      const { records } = decodeProtobufRequest(request);
      const { spans, rejected, requestOf } = scanProtobufRequest(request, SIGNS);
      expect(rejected).toEqual([]);
      expect(spans.map(({ traceId }) => traceId)).toEqual(records.map(({ traceId }) => traceId));
      const isWanted = (_: unknown, index: number) => ((seed >> (index % 31)) & 1) === 1;
      const wanted = excerptBytes(requestOf(spans.filter(isWanted)));
      expect(decodeProtobufRequest(wanted).records).toEqual(records.filter(isWanted));
    }),
    { numRuns: 60 },
  );
});

test("of more spans than are let in nothing is read", () => {
  const empty = Buffer.from([0x12, 0x00]);
  const scope = (n: number) => Buffer.concat([Buffer.from([0x12, 2 * n]), ...Array(n).fill(empty)]);
  const scopes = Buffer.concat([scope(30), scope(30)]);
  const request = Buffer.concat([Buffer.from([0x0a, scopes.length]), scopes]);
  expect(scanProtobufRequest(request, SIGNS, 60).rejected).toHaveLength(60);
  expect(() => scanProtobufRequest(request, SIGNS, 59)).toThrow("A request may have 59 spans.");
});

test("spans in brief have the attributes that are wanted, and all else but events and links", () => {
  const isWanted = (name: string) => name.length % 2 === 0;
  fc.assert(
    fc.property(requests, (request) => {
      const { spans, briefRequestOf, briefRecordsOf } = scanProtobufRequest(request, SIGNS);
      const some = <T extends object>(all: T) =>
        Object.fromEntries(Object.entries(all).filter(([name]) => isWanted(name)));
      const wanted = decodeProtobufRequest(request).records.map(
        ({ attributes, content = {}, ...rest }) => ({
          ...rest,
          events: [],
          links: [],
          attributes: some(attributes),
          content: some(content),
        }),
      );
      for (const told of [
        decodeRequestInBrief(request, isWanted),
        decodeRequestInBrief(excerptBytes(briefRequestOf(spans)), isWanted),
        briefRecordsOf(spans, isWanted),
      ]) {
        expect(told.map(({ content = {}, ...rest }) => ({ ...rest, content }))).toEqual(wanted);
      }
    }),
    { numRuns: 60 },
  );
});

test("spans in brief have no attribute of more than 4 KiB, a request with them no such event, and all else", () => {
  const [odd] =
    fc.sample(
      anyRecords.filter(({ length }) => length > 0),
      { seed: 1, numRuns: 1 },
    )[0] ?? [];
  if (odd === undefined) throw new Error("no record");
  const [long, short] = ["a".repeat(4096), "b".repeat(4000)];
  const record = {
    ...odd,
    name: long,
    status: { code: "error", message: long } as const,
    content: {},
    attributes: { first: long, short, second: long, last: 1 },
    events: [
      { name: "e", timeUnixNano: "1", attributes: { long } },
      { name: "f", timeUnixNano: "1", attributes: {} },
    ],
  };
  const request = encodeProtobufRequest(spansOfRecords([record, record]));
  const { spans, briefRequestOf } = scanProtobufRequest(request, SIGNS);
  const brief = excerptBytes(briefRequestOf(spans));
  for (const one of [request, brief])
    expect(
      decodeRequestInBrief(one, () => true).map(({ name, attributes }) => [
        name,
        Object.keys(attributes),
      ]),
    ).toEqual([
      [long, ["short", "last"]],
      [long, ["short", "last"]],
    ]);
  const { first, second, ...attributes } = record.attributes;
  const events = record.events.slice(1);
  const [whole] = decodeProtobufRequest(request).records;
  expect(decodeProtobufRequest(brief).records).toEqual(
    Array.from({ length: 2 }, () => ({ ...whole, attributes, events })),
  );
});

test("what a look takes can be decoded, and the other way round, whatever was changed on its way", () => {
  const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(requests, fc.array(change, { minLength: 1, maxLength: 3 }), (request, changes) => {
      for (const [at, byte] of changes) if (request.length > 0) request[at % request.length] = byte;
      const outcome = (read: () => object) => {
        try {
          return read();
        } catch (error) {
          return { error: (error as Error).message };
        }
      };
      const indexes = (rejected: readonly { index: number }[]) =>
        rejected.map(({ index }) => index);
      expect(
        outcome(() => {
          const { spans, rejected } = scanProtobufRequest(request, SIGNS);
          return { taken: spans.map(({ traceId }) => traceId), rejected: indexes(rejected) };
        }),
      ).toEqual(
        outcome(() => {
          const { records, rejected } = decodeProtobufRequest(request);
          return { taken: records.map(({ traceId }) => traceId), rejected: indexes(rejected) };
        }),
      );
    }),
    { numRuns: 400 },
  );
});

test("a thousand names are remembered, and what others say is the same", () => {
  const asked = new Map<string, number>();
  const isFlowName = (name: string) => {
    asked.set(name, (asked.get(name) ?? 0) + 1);
    return name === "k1999";
  };
  const names = Array.from({ length: 2_000 }, (_, n) => `k${n}`);
  const attributes = { ...Object.fromEntries(names.map((name) => [name, 1])), "session.id": "s" };
  const records = [1, 2].map((n) => plainRecord(n, { attributes }));
  const request = encodeProtobufRequest(spansOfRecords(records));
  const { spans } = scanProtobufRequest(request, { ...SIGNS, isFlowName });
  expect(spans).toMatchObject(Array(2).fill({ isFlow: true, sessionId: "s" }));
  expect([asked.get("k0"), asked.get("k1999")]).toEqual([1, 2]);
});

test("of several resources or scopes in one place the first counts, also where another is broken", () => {
  const field = (number: number, ...parts: readonly Uint8Array[]) => {
    const bytes = Buffer.concat(parts);
    return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
  };
  const span = field(2, field(1, Buffer.alloc(16, 1)), field(2, Buffer.alloc(8, 1)));
  const [whole, broken] = [Buffer.from([10, 0]), Buffer.from([10, 2, 10, 9])];
  for (const [first, second, count] of [
    [whole, broken, 1],
    [broken, whole, 0],
  ] as const) {
    for (const request of [
      field(1, field(2, first, second, span)),
      field(1, first, second, field(2, span)),
    ]) {
      expect(scanProtobufRequest(request, SIGNS).spans).toHaveLength(count);
      expect(decodeProtobufRequest(request).records).toHaveLength(count);
    }
  }
});

test("where a span belongs: what it says, then its resource's session, and the last name where there is no other", () => {
  const spanOf = (
    n: number,
    attributes: SpanRecord["attributes"],
    resource: SpanRecord["resource"] = {},
  ) => plainRecord(n, { attributes, resource });
  const records = [
    spanOf(1, { conversation: "c", "session.id": "s", "gen_ai.x": 1 }),
    spanOf(2, { conversation: "c", "session.id": "" }),
    spanOf(3, {}),
    spanOf(4, { "session.id": 3 }, { "session.id": "r" }),
    spanOf(5, { conversation: "c" }, { "session.id": "r" }),
    spanOf(6, { last: "l" }, { "session.id": "r", conversation: "c" }),
    spanOf(7, { last: "l" }, { conversation: "c", last: "m" }),
    spanOf(8, { last: "l", b: "asked" }, { "session.id": "r" }),
    spanOf(9, { b: "asked", "session.id": "s" }),
    spanOf(10, { b: 7, last: "l" }),
    spanOf(11, { last: "resp" }),
  ];
  const spans = records.flatMap(
    (record) => scanProtobufRequest(encodeProtobufRequest(spansOfRecords([record])), SIGNS).spans,
  );
  expect(spans.map(({ sessionId, isFlow }) => [sessionId, isFlow])).toEqual([
    ["s", true],
    ["c", false],
    [undefined, false],
    ["r", false],
    ["c", false],
    ["r", false],
    ["l", false],
    ["asked", false],
    ["s", false],
    ["l", false],
    [undefined, false],
  ]);
});
