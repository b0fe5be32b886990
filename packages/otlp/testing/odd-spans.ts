import { createTraceState, type SpanContext, SpanKind } from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import fc from "fast-check";

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom("", "\ud800", "a\udc00b", "\u0000", "ж".repeat(3000), "x".repeat(20_000)),
);

const wholeNumbers = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer({ min: -200, max: 20_000 }),
  fc.constantFrom(2 ** 53, 2 ** 62, 2 ** 63, -(2 ** 53), -(2 ** 63), -(2 ** 64), -0, 1e300),
);

/** What programs really put into attributes, whatever the types say. */
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    anyText,
    wholeNumbers,
    fc.double(),
    fc.boolean(),
    fc.uint8Array({ maxLength: 300 }),
    fc.constantFrom(null, undefined, 10n, Symbol("s"), () => 1),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(anyText, tie("value"), { maxKeys: 4 }),
  ),
})).value;

const attributes = fc.dictionary(anyText, anyValue, { maxKeys: 8 });
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });
const time = fc.tuple(
  fc.integer({ min: 0, max: 2 ** 33 }),
  fc.integer({ min: 0, max: 999_999_999 }),
);
const dropped = fc.integer({ min: 0, max: 100_000 });

const spanContext = fc.record<SpanContext>(
  {
    traceId: hex(32),
    spanId: hex(16),
    traceFlags: fc.integer({ min: 0, max: 255 }),
    isRemote: fc.boolean(),
    traceState: fc.constantFrom(createTraceState("a=1,b=2"), createTraceState("")),
  },
  { requiredKeys: ["traceId", "spanId", "traceFlags"] },
);

const resources = [
  resourceFromAttributes({ "service.name": "one", "process.pid": 4 }),
  resourceFromAttributes({}),
];
const scopes = [
  { name: "one", version: "1.0.0" },
  { name: "two", schemaUrl: "https://example/schema" },
  { name: "" },
];

/** Ended spans with everything that one may hold. */
export const oddSpan: fc.Arbitrary<ReadableSpan> = fc
  .record({
    context: spanContext,
    parentSpanContext: fc.option(spanContext, { nil: undefined }),
    name: anyText,
    kind: fc.constantFrom(SpanKind.INTERNAL, SpanKind.CLIENT, SpanKind.CONSUMER),
    startTime: time,
    endTime: time,
    status: fc.record(
      { code: fc.constantFrom(0, 1, 2), message: anyText },
      { requiredKeys: ["code"] },
    ),
    attributes,
    links: fc.array(fc.record({ context: spanContext, attributes }), { maxLength: 3 }),
    events: fc.array(fc.record({ name: anyText, time, attributes }), { maxLength: 3 }),
    resource: fc.constantFrom(...resources),
    instrumentationScope: fc.constantFrom(...scopes),
    droppedAttributesCount: dropped,
    droppedEventsCount: dropped,
    droppedLinksCount: dropped,
  })
  .map(
    ({ context, parentSpanContext, ...span }): ReadableSpan => ({
      ...(span as Omit<ReadableSpan, "spanContext" | "duration" | "ended">),
      ...(parentSpanContext && { parentSpanContext }),
      spanContext: () => context,
      ended: true,
      duration: [0, 0],
    }),
  );
