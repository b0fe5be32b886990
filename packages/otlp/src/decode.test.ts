import type { SpanRecord } from "@thoughtflow/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyRecords } from "../testing/any-record.ts";
import { decodeJsonRequest } from "./json-decode.ts";
import { encodeJsonRequest } from "./json-request.ts";
import { decodeProtobufRequest } from "./protobuf-decode.ts";
import { encodeProtobufRequest } from "./protobuf-request.ts";
import { spansOfRecords } from "./record-span.ts";
import { TooManySpansError } from "./too-many-spans-error.ts";

const json = (value: unknown) => decodeJsonRequest(JSON.stringify(value));
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const none = { rejected: [] };

test("records come back as they were from protobuf and from JSON, in the order of a request", () => {
  fc.assert(
    fc.property(anyRecords, (drawn) => {
      const spans = spansOfRecords(drawn);
      const { records } = decodeProtobufRequest(encodeProtobufRequest(spans));
      expect(bySpan(records)).toEqual(bySpan(drawn));
      expect(decodeJsonRequest(textOf(encodeJsonRequest(spans)))).toEqual({ records, ...none });
    }),
    { numRuns: 60 },
  );
});

test("content that is left where it lies says the same when it is looked at", () => {
  fc.assert(
    fc.property(anyRecords, fc.string({ unit: "grapheme", minLength: 40 }), (drawn, words) => {
      const said = JSON.stringify([words.repeat(8)]);
      const long = drawn.map((record) => ({
        ...record,
        content: { [INPUT]: said, ...record.content },
      }));
      const bytes = Buffer.from(encodeProtobufRequest(spansOfRecords(long)));
      let left = 0;
      const textAt = (start: number, end: number) => {
        left += 1;
        const text = bytes.toString("utf8", start, end);
        return { name: `${start}`, bytes: end - start, text, toJSON: () => text };
      };
      const { records, rejected } = decodeProtobufRequest(bytes, { textAt });
      expect({ records: JSON.parse(JSON.stringify(records)), rejected }).toEqual(
        JSON.parse(JSON.stringify(decodeProtobufRequest(bytes))),
      );
      const longTexts = long
        .flatMap(({ content }) => Object.values(content))
        .filter((text) => Buffer.byteLength(text as string) >= 256);
      expect(left).toBeGreaterThanOrEqual(longTexts.length);
    }),
    { numRuns: 60 },
  );
});

const INPUT = "gen_ai.input.messages";

function bySpan(records: readonly SpanRecord[]): unknown {
  return records
    .map(({ traceId, spanId, ...rest }) => [`${traceId}/${spanId}`, rest] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const span = {
  traceId: "5b8efff798038103d269b633813fc60c",
  spanId: "eee19b7ec3c1b174",
  parentSpanId: "eee19b7ec3c1b173",
  name: "chat gpt",
  kind: 3,
  startTimeUnixNano: "1544712660000000123",
  endTimeUnixNano: "1544712661000000456",
  attributes: [
    { key: "n", value: { intValue: "42" } },
    { key: "gen_ai.input.messages", value: { stringValue: "[]" } },
  ],
  status: { code: 2, message: "no" },
  flags: 0x301,
};
const request = (...spans: unknown[]) => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: "service.name", value: { stringValue: "s" } }] },
      scopeSpans: [{ scope: { name: "i", version: "1" }, spans }],
    },
  ],
});
const record: SpanRecord = {
  type: "span_end",
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId,
  parentIsRemote: true,
  name: "chat gpt",
  kind: "client",
  startTimeUnixNano: "1544712660000000123",
  endTimeUnixNano: "1544712661000000456",
  status: { code: "error", message: "no" },
  attributes: { n: 42 },
  content: { "gen_ai.input.messages": "[]" },
  events: [],
  links: [],
  scope: { name: "i", version: "1" },
  resource: { "service.name": "s" },
};

describe("what is found in the wild", () => {
  const base64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");
  const snake = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(snake);
    if (typeof value !== "object" || value === null) return value;
    const named = Object.entries(value).map(([key, one]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snake(one),
    ]);
    return Object.fromEntries(named);
  };
  test.each<[string, unknown]>([
    ["as it is specified", request(span)],
    [
      "ids in base64",
      request({
        ...span,
        traceId: base64(span.traceId),
        spanId: base64(span.spanId),
        parentSpanId: base64(span.parentSpanId),
      }),
    ],
    ["ids in upper case", request({ ...span, traceId: span.traceId.toUpperCase() })],
    [
      "enums by name",
      request({
        ...span,
        kind: "SPAN_KIND_CLIENT",
        status: { code: "STATUS_CODE_ERROR", message: "no" },
      }),
    ],
    [
      "numbers as texts",
      request({ ...span, kind: "3", flags: "769", status: { code: "2", message: "no" } }),
    ],
    ["names of the definition", snake(request(span))],
    [
      "fields that nobody knows",
      { more: 1, ...request({ ...span, more: { deep: [1] }, entityRefs: [] }) },
    ],
    ["what Tempo answers", { batches: request(span).resourceSpans }],
    ["what Tempo answers by its second API", { trace: request(span) }],
    ["what Jaeger answers", { result: request(span) }],
    [
      "attributes that are plain values",
      request({ ...span, attributes: { n: 42, "gen_ai.input.messages": [] } }),
    ],
  ])("%s", (_name, document) => {
    expect(json(document)).toEqual({ records: [record], ...none });
  });

  test("attributes that are plain values of any shape", () => {
    const attributes = { n: 42, nested: { a: [1, { b: true }] } };
    expect(json(request({ ...span, attributes })).records[0]?.attributes).toEqual({
      n: 42,
      nested: '{"a":[1,{"b":true}]}',
    });
  });

  test("times and integers as numbers keep all their digits", () => {
    const text = JSON.stringify(request(span))
      .replaceAll(/"(15447\d+)"/g, "$1")
      .replace('"42"', "9007199254740993");
    expect(decodeJsonRequest(text).records).toEqual([
      { ...record, attributes: { n: "9007199254740993" } },
    ]);
  });

  test("several documents one after the other", () => {
    const one = JSON.stringify(request(span));
    const other = JSON.stringify(request({ ...span, spanId: "1111111111111111" }), null, 2);
    const both = [record, { ...record, spanId: "1111111111111111" }];
    for (const text of [`${one}\n${other}\n`, `\ufeff${one}${other}`, `[${one},${other}]`])
      expect(decodeJsonRequest(text)).toEqual({ records: both, ...none });
  });

  test("what is next to nothing but brackets is refused before it is parsed, unless the brackets stand in a text", () => {
    const many = 150_000;
    for (const dense of [`{"x":[${"{},".repeat(many)}0]}`, "{}\n".repeat(many), "[".repeat(many)])
      expect(() => decodeJsonRequest(dense, 1)).toThrow(/^no OTLP: \d+ .* lists and objects$/);
    const name = '[{\\"'.repeat(many);
    const text = JSON.stringify(request({ ...span, name }));
    expect(decodeJsonRequest(text, 1)).toEqual({ records: [{ ...record, name }], ...none });
    const numbers = Array.from({ length: many }, (_, n) => ({ intValue: n }));
    const attributes = [{ key: "n", value: { arrayValue: { values: numbers } } }];
    expect(
      decodeJsonRequest(JSON.stringify(request({ ...span, attributes })), 1).records,
    ).toHaveLength(1);
  });

  test("fields of very many names are refused before they are parsed, unless the names are an attribute's", () => {
    const names = Array.from({ length: 11_000 }, (_, n) => `a${n}`);
    const fields = names.map((name) => `"${name}" \n: 1`);
    for (const many of [`{${fields}}`, `[${fields.map((field) => `{${field}}`)}]`])
      expect(() => decodeJsonRequest(many, 1)).toThrow(/^no OTLP: \d+ .* 10000 names of fields$/);
    const attributes = names.map((key) => ({ key, value: { intValue: 1 } }));
    const [one] = decodeJsonRequest(JSON.stringify(request({ ...span, attributes })), 1).records;
    expect(Object.keys(one?.attributes ?? {})).toEqual(names);
  });

  test("messages as structure, not as text", () => {
    const messages = {
      arrayValue: {
        values: [
          {
            kvlistValue: {
              values: [
                { key: "role", value: { stringValue: "user" } },
                { key: "__proto__", value: { intValue: 1 } },
              ],
            },
          },
        ],
      },
    };
    const attributes = [{ key: "gen_ai.input.messages", value: messages }];
    expect(json(request({ ...span, attributes })).records[0]?.content).toEqual({
      "gen_ai.input.messages": '[{"role":"user","__proto__":1}]',
    });
  });
});

describe("a broken span costs no other", () => {
  test.each<[string, object, string]>([
    ["no trace id", { traceId: "" }, "trace id is missing"],
    ["zeros", { spanId: "0".repeat(16) }, "span id is all zero"],
    ["too short", { traceId: "abc" }, 'traceId "abc" is no id of 16 bytes'],
    ["no time", { endTimeUnixNano: "soon" }, 'endTimeUnixNano "soon" is no time'],
    ["attributes that are a text", { attributes: "n=42" }, 'attributes "n=42" is no list'],
    [
      "values without end",
      { attributes: [{ key: "k", value: deep(70) }] },
      "values nested deeper than 64",
    ],
  ])("%s", (_name, broken, reason) => {
    const { records, rejected } = json(request(span, { ...span, ...broken }, span));
    expect(records).toEqual([record, record]);
    expect(rejected).toEqual([{ index: 1, code: expect.any(String), reason }]);
  });

  test("in protobuf too: an attribute that is cut off, an id of 3 bytes, nesting without end", () => {
    const good = spansOfRecords([record])[0];
    if (good === undefined) throw new Error("no span");
    const named = (name: string) => ({ ...good, name });
    const short = {
      ...named("short"),
      spanContext: () => ({ traceId: "abcdef", spanId: "1".repeat(16), traceFlags: 1 }),
    };
    const nested = { ...named("nested"), attributes: { deep: nest(80) } };
    const request = Buffer.from(encodeProtobufRequest([good, named("torn"), short, nested, good]));
    // The key of the first attribute of "torn" becomes longer than its field.
    const at = request.indexOf("\u0001n", request.indexOf("torn"));
    request[at] = 100;
    const { records, rejected } = decodeProtobufRequest(request);
    expect(records).toEqual([record, record]);
    expect(rejected).toEqual([
      {
        index: 1,
        code: "malformed",
        reason: expect.stringMatching(
          /^no OTLP protobuf: 100 bytes in a field of \d+ at byte \d+$/,
        ),
      },
      { index: 2, code: "id", reason: "trace id abcdef has 3 bytes, not 16" },
      {
        index: 3,
        code: "malformed",
        reason: expect.stringContaining("values nested deeper than 64"),
      },
    ]);
  });
});

test("what stands among spans in JSON and is none is refused, and named", () => {
  const { records, rejected } = json(request(null, span, 7));
  expect(records).toHaveLength(1);
  expect(rejected).toEqual([
    { index: 0, code: "malformed", reason: "null is no span" },
    { index: 2, code: "malformed", reason: "7 is no span" },
  ]);
});

test("more spans than are let in are refused, whatever stands in place of one", () => {
  const most = 2;
  for (const more of [span, {}, 0]) {
    const text = JSON.stringify(request(span, 7, more));
    expect(() => decodeJsonRequest(text, most)).toThrow(TooManySpansError);
    expect(decodeJsonRequest(text, most + 1).records).not.toEqual([]);
  }
  const bytes = encodeProtobufRequest(spansOfRecords([record, record, record]));
  expect(() => decodeProtobufRequest(bytes, { most })).toThrow(TooManySpansError);
  expect(decodeProtobufRequest(bytes, { most: most + 1 }).records).toHaveLength(3);
});

test("arrays around arrays without end are one clear error", () => {
  const nested = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  expect(() => decodeJsonRequest(nested)).toThrow("wrapped more than 16 times");
});

test.each([
  ["a length", [0x12, 0x81, 0x80, 0x80, 0x80, 0x10, 0x61]],
  ["a tag", [0x8a, 0x80, 0x80, 0x80, 0x10, 0x01, 0x61]],
])("%s of more than 32 bits, of which others read another, is none", (_, field) => {
  const bytes = encodeProtobufRequest(spansOfRecords([record]));
  const more = Buffer.concat([bytes, Uint8Array.from(field)]);
  expect(() => decodeProtobufRequest(more)).toThrow("a number of more than 32 bits");
  const overlong = Buffer.concat([bytes, Uint8Array.of(0x92, 0x80, 0x80, 0x80, 0x00, 0x01, 0x61)]);
  expect(decodeProtobufRequest(overlong).records).toEqual([record]);
});

function deep(levels: number): unknown {
  return levels === 0 ? { intValue: 1 } : { arrayValue: { values: [deep(levels - 1)] } };
}

function nest(levels: number): unknown {
  return levels === 0 ? 1 : [nest(levels - 1)];
}

test("bytes that are no request are one clear error, and change no prototype", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (bytes) => {
      try {
        decodeProtobufRequest(bytes);
      } catch (error) {
        expect(error).toMatchObject({ name: "MalformedRequestError" });
      }
    }),
    { numRuns: 2_000 },
  );
  expect(() => decodeProtobufRequest(Uint8Array.of(10, 200, 1))).toThrow(
    "no OTLP protobuf: 200 bytes in a field of 0 at byte 3",
  );
  expect(() => decodeJsonRequest('{"resourceSpans":[')).toThrow("no JSON: ");
  const attributes = [
    {
      key: "__proto__",
      value: { kvlistValue: { values: [{ key: "polluted", value: { boolValue: true } }] } },
    },
  ];
  const [decoded] = json(request({ ...span, attributes })).records;
  expect(Object.entries(decoded?.attributes ?? {})).toEqual([["__proto__", '{"polluted":true}']]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
