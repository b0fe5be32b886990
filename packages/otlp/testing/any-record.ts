import type { AttributeValue, SpanRecord } from "@thoughtflow/schema";
import { CONTENT_ATTRIBUTES } from "@thoughtflow/semconv";
import fc from "fast-check";

const text = fc.string({ unit: "grapheme", maxLength: 120 });
const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .filter((id) => id.some((byte) => byte > 0))
    .map((id) => Buffer.from(id).toString("hex"));
const time = fc.bigInt({ min: 0n, max: 2n ** 62n }).map(String);
const number = fc
  .oneof(
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(2 ** 62, -(2 ** 63), 0.1, 1e300),
  )
  .map((value) => (Object.is(value, -0) ? 0 : value));
const lists = [text, number, fc.boolean()].map((one) =>
  fc.array(fc.oneof({ weight: 4, arbitrary: one }, fc.constant(null)), { maxLength: 4 }),
);
const value = fc.oneof(text, number, fc.boolean(), ...lists) as fc.Arbitrary<AttributeValue>;
const name = fc.oneof(text, fc.constantFrom("__proto__", "constructor", "session.id", ""));
const attributes = fc.dictionary(
  name.filter((one) => !CONTENT_ATTRIBUTES.has(one)),
  value,
  { maxKeys: 6, noNullPrototype: true },
);
const content = fc.dictionary(
  fc.constantFrom(...CONTENT_ATTRIBUTES),
  text.map((one) => JSON.stringify(one)),
  { minKeys: 1, maxKeys: 3, noNullPrototype: true },
);
const dropped = fc.integer({ min: 1, max: 4_000_000_000 });
const said = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });

const scopes = [{ name: "one", version: "1" }, { name: "two" }, { name: "" }];
const resources = [{ "service.name": "a", "process.pid": 7, tags: ["x", "y"] }, {}];

const ended = fc.record({
  traceId: hex(16),
  spanId: hex(8),
  parentSpanId: said(hex(8)),
  parentIsRemote: said(fc.constant(true as const)),
  name: text,
  kind: fc.constantFrom("internal", "server", "client", "producer", "consumer"),
  startTimeUnixNano: time,
  endTimeUnixNano: time,
  status: fc.oneof(
    fc.record({ code: fc.constantFrom("unset", "ok", "error") }),
    fc.record({ code: fc.constant("error"), message: text.filter((one) => one !== "") }),
  ),
  attributes,
  content: said(content),
  events: fc.array(fc.record({ name: text, timeUnixNano: time, attributes }), { maxLength: 2 }),
  links: fc.array(
    fc.record({ traceId: hex(16), spanId: hex(8), attributes, droppedAttributesCount: dropped }),
    { maxLength: 2 },
  ),
  droppedAttributesCount: said(dropped),
  droppedEventsCount: said(dropped),
  droppedLinksCount: said(dropped),
  scope: fc.constantFrom(...scopes),
  resource: fc.constantFrom(...resources),
});

/** Ended spans as records, with all that one may hold, each under its own name. */
export const anyRecords: fc.Arbitrary<SpanRecord[]> = fc
  .uniqueArray(ended, { maxLength: 6, selector: ({ traceId, spanId }) => `${traceId}${spanId}` })
  .map((all) => all.map(withoutNothing));

function withoutNothing({
  parentIsRemote,
  ...record
}: typeof ended extends fc.Arbitrary<infer T> ? T : never): SpanRecord {
  const remote = record.parentSpanId === undefined ? undefined : parentIsRemote;
  const all = { type: "span_end", ...record, parentIsRemote: remote };
  const entries = Object.entries(all).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries) as unknown as SpanRecord;
}
