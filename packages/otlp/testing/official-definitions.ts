import { createRequire } from "node:module";

interface MessageType {
  decode(bytes: Uint8Array): unknown;
  encode(message: object): { finish(): Uint8Array };
  toObject(message: unknown, options: object): Record<string, unknown>;
}

// The last release of the official package that carried the definitions, as protobufjs makes code of them.
const { opentelemetry } = createRequire(import.meta.url)(
  "otlp-definitions/build/src/generated/root.js",
);
const { ExportTraceServiceRequest, ExportTraceServiceResponse }: Record<string, MessageType> =
  opentelemetry.proto.collector.trace.v1;

/** A request as the official protobuf definitions read it: every field, 64-bit integers as texts, bytes as hex. */
export function decodedRequest(bytes: Uint8Array): unknown {
  if (ExportTraceServiceRequest === undefined) throw new Error("the definitions have no request");
  const options = { longs: String, defaults: true, arrays: true, objects: true, oneofs: true };
  return withHex(
    ExportTraceServiceRequest.toObject(ExportTraceServiceRequest.decode(bytes), options),
  );
}

/** A receiver's answer, by the same definitions. */
export function encodedResponse(response: object): Uint8Array {
  if (ExportTraceServiceResponse === undefined) throw new Error("the definitions have no response");
  return ExportTraceServiceResponse.encode(response).finish();
}

function withHex(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (Array.isArray(value)) return value.map(withHex);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withHex(one)]));
}
