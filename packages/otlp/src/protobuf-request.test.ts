import { describe, expect, test } from "vitest";
import { decodedRequest } from "../testing/official-definitions.ts";
import type { OtlpSpan } from "./otlp-span.ts";
import { encodeProtobufRequest } from "./protobuf-request.ts";

const plain: OtlpSpan = {
  name: "plain",
  kind: 0,
  spanContext: () => ({ traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 }),
  startTime: [1_795_183_471, 281_000_123],
  endTime: [1_795_183_472, 0],
  status: { code: 0 },
  attributes: {},
  links: [],
  events: [],
  resource: { attributes: {} },
  instrumentationScope: { name: "scope" },
  droppedAttributesCount: 0,
  droppedEventsCount: 0,
  droppedLinksCount: 0,
};

function decodedSpan(span: Partial<OtlpSpan>): Record<string, unknown> {
  const request = decodedRequest(encodeProtobufRequest([{ ...plain, ...span }])) as {
    resourceSpans: { scopeSpans: { spans: Record<string, unknown>[] }[] }[];
  };
  return request.resourceSpans[0]?.scopeSpans[0]?.spans[0] ?? {};
}

test("a request that outgrows the kept buffer is written whole, and the next one too", () => {
  const attributes = { long: "д".repeat(6_000_000), other: "x".repeat(3_000_000) };
  const { attributes: read } = decodedSpan({ attributes });
  expect(read).toMatchObject([
    { key: "long", value: { stringValue: attributes.long } },
    { key: "other", value: { stringValue: attributes.other } },
  ]);
  expect(decodedSpan({})).toMatchObject({ name: "plain", attributes: [] });
});

test("more names than are kept are written all the same", () => {
  const attributes = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key ${n}`, n]));
  for (let turn = 0; turn < 2; turn += 1) {
    expect(decodedSpan({ attributes })["attributes"]).toMatchObject(
      Object.entries(attributes).map(([key, n]) => ({ key, value: { intValue: String(n) } })),
    );
  }
});

describe("times that OTLP can't hold", () => {
  test.for([
    ["a broken date", [Number.NaN, Number.NaN], "0"],
    ["before 1970", [-5, 0], "0"],
    ["fractions", [1.5, 0.25], "1000000000"],
    ["nanoseconds below 0, after a clock was set back", [2, -1], "1999999999"],
  ] as const)("%s", ([, startTime, expected]) => {
    expect(decodedSpan({ startTime })["startTimeUnixNano"]).toBe(expected);
  });
});

test("an attribute that throws when it is read spoils its own request only", () => {
  const attributes = {
    get broken(): string {
      throw new TypeError("getter");
    },
  };
  expect(() => encodeProtobufRequest([{ ...plain, attributes }])).toThrow("getter");
  expect(decodedSpan({})).toMatchObject({ name: "plain" });
});
