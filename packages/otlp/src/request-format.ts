import { encodeJsonRequest } from "./json-request.ts";
import { splitJsonRequest } from "./json-split.ts";
import type { OtlpSpan } from "./otlp-span.ts";
import {
  type PartialSuccess,
  partialSuccessOfJson,
  partialSuccessOfProtobuf,
} from "./partial-success.ts";
import { encodeProtobufRequest } from "./protobuf-request.ts";
import { splitProtobufRequest } from "./protobuf-split.ts";

/** One of the two forms that OTLP/HTTP has. */
export interface RequestFormat {
  readonly contentType: "application/x-protobuf" | "application/json";
  /** A request with these spans. Throws only what a getter among their attributes throws. */
  encode(spans: readonly OtlpSpan[]): Uint8Array;
  /**
   * Two requests with one half of the spans each; `undefined` for one span or none.
   *
   * @throws MalformedRequestError or SyntaxError for bytes that `encode` didn't make
   */
  split(request: Uint8Array): readonly [Uint8Array, Uint8Array] | undefined;
  /** What a receiver's answer to such a request says; nothing rejected where it can't be read. */
  partialSuccess(answer: Uint8Array): PartialSuccess;
}

/**
 * Both encodings of OTLP/HTTP by the name that configurations have for them: how spans become a body, and how a body
 * is cut in two.
 */
export const REQUEST_FORMATS: Readonly<Record<"http/protobuf" | "http/json", RequestFormat>> = {
  "http/protobuf": {
    contentType: "application/x-protobuf",
    encode: encodeProtobufRequest,
    split: splitProtobufRequest,
    partialSuccess: partialSuccessOfProtobuf,
  },
  "http/json": {
    contentType: "application/json",
    encode: encodeJsonRequest,
    split: splitJsonRequest,
    partialSuccess: partialSuccessOfJson,
  },
};
