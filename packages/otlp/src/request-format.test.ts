import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { oddSpan } from "../testing/odd-spans.ts";
import { decodedRequest, encodedResponse } from "../testing/official-definitions.ts";
import { MalformedRequestError } from "./malformed-request-error.ts";
import type { OtlpSpan } from "./otlp-span.ts";
import { REQUEST_ANSWERS } from "./request-answer.ts";
import { REQUEST_FORMATS } from "./request-format.ts";

const { "http/protobuf": protobuf, "http/json": json } = REQUEST_FORMATS;

const parsed = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString());

/** The official serialiser writes `null` for NaN, and integers that no receiver can read. */
function hasOrdinaryNumbers(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && Math.abs(value) < 2 ** 53;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(hasOrdinaryNumbers);
}

/** Numbers as texts, as OTLP wants 64-bit ones, and no field that holds its default. */
function normalised(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalised);
  if (typeof value !== "object" || value === null) return String(value);
  const entries = Object.entries(value).map(([key, one]) => [key, normalised(one)] as const);
  return Object.fromEntries(
    entries.filter(([, one]) => one !== "0" && !(Array.isArray(one) && one.length === 0)),
  );
}

describe("JSON", () => {
  test("says what the official serialiser says, for any spans it can write", () => {
    fc.assert(
      fc.property(fc.array(oddSpan.filter(hasOrdinaryNumbers), { maxLength: 4 }), (spans) => {
        const official = JsonTraceSerializer.serializeRequest(spans) ?? new Uint8Array();
        expect(normalised(parsed(json.encode(spans)))).toEqual(normalised(parsed(official)));
      }),
      { numRuns: 25 },
    );
  });

  test("writes numbers that JSON has no form for as protobuf's JSON does", () => {
    const [span] = fc.sample(oddSpan, { seed: 1, numRuns: 1 });
    const attributes = { nan: Number.NaN, most: Number.POSITIVE_INFINITY, exact: 2 ** 62 };
    const { resourceSpans } = parsed(json.encode([{ ...(span as OtlpSpan), attributes }])) as {
      resourceSpans: [{ scopeSpans: [{ spans: [{ attributes: unknown }] }] }];
    };
    expect(resourceSpans[0].scopeSpans[0].spans[0].attributes).toEqual([
      { key: "nan", value: { doubleValue: "NaN" } },
      { key: "most", value: { doubleValue: "Infinity" } },
      { key: "exact", value: { intValue: "4611686018427387904" } },
    ]);
  });
});

describe.each([
  ["protobuf", protobuf, decodedRequest],
  ["JSON", json, parsed],
] as const)("splitting %s", (_name, format, read) => {
  test("gives each half as if it had been encoded by itself", () => {
    fc.assert(
      fc.property(fc.array(oddSpan, { minLength: 2, maxLength: 9 }), (drawn) => {
        // In the order of a request: spans of one resource and scope side by side.
        const spans = drawn.toSorted((a, b) => placeOf(a).localeCompare(placeOf(b)));
        const halves = format.split(format.encode(spans));
        const middle = Math.ceil(spans.length / 2);
        expect(halves?.map(read)).toEqual(
          [spans.slice(0, middle), spans.slice(middle)].map((half) => read(format.encode(half))),
        );
      }),
      { numRuns: 25 },
    );
  });

  test("ends with one span", () => {
    expect(format.split(format.encode(fc.sample(oddSpan, 1)))).toBeUndefined();
    expect(format.split(format.encode([]))).toBeUndefined();
  });
});

function placeOf({ resource, instrumentationScope: scope }: OtlpSpan): string {
  return JSON.stringify([resource.attributes, scope.name, scope.version, scope.schemaUrl]);
}

test("bytes that are no request are an error, not an endless loop", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), (bytes) => {
      try {
        protobuf.split(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedRequestError);
      }
    }),
  );
  expect(() => protobuf.split(Uint8Array.of(10, 200))).toThrow("no OTLP protobuf");
});

describe("an answer", () => {
  const partialSuccess = { rejectedSpans: 3, errorMessage: "name is missing" };

  test("tells how many spans were left out, in either form", () => {
    const told = { rejectedSpans: 3, message: "name is missing" };
    expect(protobuf.partialSuccess(encodedResponse({ partialSuccess }))).toEqual(told);
    const text = JSON.stringify({ partialSuccess: { ...partialSuccess, rejectedSpans: "3" } });
    expect(json.partialSuccess(Buffer.from(text))).toEqual(told);
  });

  test("that is empty, or no answer at all, tells of none", () => {
    const none = { rejectedSpans: 0, message: "" };
    for (const body of [
      "",
      "{}",
      "<html>proxy</html>",
      '{"partialSuccess":null}',
      "\u0001\u0002",
    ]) {
      expect(protobuf.partialSuccess(Buffer.from(body))).toEqual(none);
      expect(json.partialSuccess(Buffer.from(body))).toEqual(none);
    }
    expect(protobuf.partialSuccess(encodedResponse({ partialSuccess: {} }))).toEqual(none);
  });
});

test("what a receiver says is read by a sender, in either form", () => {
  const told = { rejectedSpans: 3, message: "span id is missing" };
  for (const [answers, format] of [
    [REQUEST_ANSWERS.protobuf, protobuf],
    [REQUEST_ANSWERS.json, json],
  ] as const) {
    expect(answers.contentType).toBe(format.contentType);
    expect(format.partialSuccess(answers.taken(told))).toEqual(told);
    expect(format.partialSuccess(answers.taken())).toEqual({ rejectedSpans: 0, message: "" });
  }
});
