// Spans

// Requests and answers
export type { DecodedRequest, RejectedSpan } from "./decoded-request.ts";
export type { Excerpt } from "./excerpt.ts";
export { excerptBytes, excerptOf } from "./excerpt.ts";
export { decodeJsonRequest } from "./json-decode.ts";
export { encodeJsonRequest } from "./json-request.ts";
export { MalformedRequestError } from "./malformed-request-error.ts";
export type {
  OtlpAttributes,
  OtlpResource,
  OtlpScope,
  OtlpSpan,
  OtlpSpanContext,
  OtlpTime,
} from "./otlp-span.ts";
export type { PartialSuccess } from "./partial-success.ts";
export type { DecodeOptions } from "./protobuf-decode.ts";
export { decodeProtobufRequest, decodeRequestInBrief } from "./protobuf-decode.ts";
export { encodeProtobufRequest } from "./protobuf-request.ts";
export type { ScannedRequest, ScannedSpan, SpanSigns } from "./protobuf-scan.ts";
export { scanProtobufRequest } from "./protobuf-scan.ts";
export { spansOfRecords } from "./record-span.ts";
export type { RequestAnswers } from "./request-answer.ts";
export { REQUEST_ANSWERS } from "./request-answer.ts";
export type { RequestFormat } from "./request-format.ts";
export { REQUEST_FORMATS } from "./request-format.ts";
export { TooManySpansError } from "./too-many-spans-error.ts";
