// Spans

// Requests and answers
export { encodeJsonRequest } from "./json-request.ts";
export type {
  OtlpAttributes,
  OtlpResource,
  OtlpScope,
  OtlpSpan,
  OtlpSpanContext,
  OtlpTime,
} from "./otlp-span.ts";
export type { PartialSuccess } from "./partial-success.ts";
export { encodeProtobufRequest } from "./protobuf-request.ts";
export type { RequestFormat } from "./request-format.ts";
export { REQUEST_FORMATS } from "./request-format.ts";
