import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { oddSpan } from "../testing/odd-spans.ts";
import { decodedRequest } from "../testing/official-definitions.ts";
import { encodeProtobufRequest } from "./protobuf-request.ts";

test("the official definitions read the same from our bytes as from the official serialiser's, for any spans", () => {
  fc.assert(
    fc.property(fc.array(oddSpan, { maxLength: 6 }), (spans) => {
      const official = ProtobufTraceSerializer.serializeRequest(spans) ?? new Uint8Array();
      expect(decodedRequest(encodeProtobufRequest(spans))).toEqual(decodedRequest(official));
    }),
    { numRuns: 60 },
  );
});
