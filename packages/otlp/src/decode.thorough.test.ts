import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { oddSpan } from "../testing/odd-spans.ts";
import { decodedRequest } from "../testing/official-definitions.ts";
import { decodeJsonRequest } from "./json-decode.ts";
import { decodeProtobufRequest } from "./protobuf-decode.ts";

const json = (value: unknown) => decodeJsonRequest(JSON.stringify(value));

/** The definitions give an `AnyValue` with all its alternatives, and bytes as hex. */
function withWrappedValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withWrappedValues);
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "object" || value === null) return value;
  if ("bytesValue" in value && typeof value.bytesValue === "string")
    return { bytesValue: Buffer.from(value.bytesValue, "hex").toString("base64") };
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, withWrappedValues(v)]));
}

test("any spans of the SDK are read as the official definitions read them", () => {
  fc.assert(
    fc.property(fc.array(oddSpan, { maxLength: 5 }), (spans) => {
      const bytes = ProtobufTraceSerializer.serializeRequest(spans) ?? new Uint8Array();
      const official = decodedRequest(bytes);
      expect(decodeProtobufRequest(bytes)).toEqual(json(withWrappedValues(official)));
    }),
    { numRuns: 60 },
  );
});
