/**
 * Readers of OTLP requests by libraries of others, all on the same definitions. `decode` gives the library's own object,
 * `records` makes what `decodeProtobufRequest` makes: every field is looked at.
 */
import { readFileSync } from "node:fs";
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { PbfReader } from "pbf";
import { compile } from "pbf/compile";
import protobuf from "protobufjs";
import descriptor from "protobufjs/ext/descriptor.js";
import parseProto from "protocol-buffers-schema";

const definitions = readFileSync(new URL("trace.proto", import.meta.url), "utf8");

const root = protobuf.parse(definitions).root.resolveAll();
const byProtobufjs = root.lookupType("otlp.ExportTraceServiceRequest");

const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptorSet()));
const byProtobufEs = registry.getMessage("otlp.ExportTraceServiceRequest");

/** As `protoc` would write it: protobufjs leaves out where the types are. */
function descriptorSet() {
  const set = root.toDescriptor("proto3");
  for (const file of set.file) {
    file.syntax = "proto3";
    for (const { field } of file.messageType)
      for (const one of field) if (one.typeName) one.typeName = `.${file.package}.${one.typeName}`;
  }
  return descriptor.FileDescriptorSet.encode(set).finish();
}

const byPbf = compile(parseProto.parse(definitions));

const hex = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");

/** The names of fields, as the library has them. */
const camel = {
  resourceSpans: "resourceSpans",
  scopeSpans: "scopeSpans",
  traceId: "traceId",
  spanId: "spanId",
  parent: "parentSpanId",
  start: "startTimeUnixNano",
  end: "endTimeUnixNano",
};
const snake = Object.fromEntries(
  Object.entries(camel).map(([name, field]) => [
    name,
    field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ]),
);

function recordsIn(request, names, readValue) {
  const attributesOf = (list) => {
    const attributes = {};
    for (const { key, value } of list ?? []) attributes[key] = readValue(value);
    return attributes;
  };
  const records = [];
  for (const { resource, [names.scopeSpans]: scopes } of request[names.resourceSpans]) {
    const ofResource = attributesOf(resource?.attributes);
    for (const { scope, spans } of scopes) {
      const { name, version } = scope ?? { name: "" };
      for (const span of spans) {
        const parent = span[names.parent];
        records.push({
          type: "span_end",
          traceId: hex(span[names.traceId]),
          spanId: hex(span[names.spanId]),
          ...(parent?.length > 0 && { parentSpanId: hex(parent) }),
          name: span.name,
          kind: span.kind,
          startTimeUnixNano: String(span[names.start]),
          endTimeUnixNano: String(span[names.end]),
          status: { code: span.status?.code ?? 0, message: span.status?.message },
          attributes: attributesOf(span.attributes),
          events: span.events,
          links: span.links,
          scope: { name, version },
          resource: ofResource,
        });
      }
    }
  }
  return records;
}

function valueOfEs({ value }) {
  if (value.case === "arrayValue") return value.value.values.map(valueOfEs);
  return value.case === "intValue" ? Number(value.value) : value.value;
}

function valueOfJs({ stringValue, intValue, doubleValue, boolValue, arrayValue }) {
  if (arrayValue) return arrayValue.values.map(valueOfJs);
  return stringValue || doubleValue || boolValue || (intValue ? Number(intValue) : stringValue);
}

function valueOfPbf({ string_value, int_value, double_value, bool_value, array_value }) {
  if (array_value) return array_value.values.map(valueOfPbf);
  return string_value || int_value || double_value || bool_value;
}

export const readers = {
  "protobufjs 8": {
    decode: (bytes) => byProtobufjs.decode(bytes),
    records: (request) => recordsIn(request, camel, valueOfJs),
  },
  "protobuf-es 2": {
    decode: (bytes) => fromBinary(byProtobufEs, bytes),
    records: (request) => recordsIn(request, camel, valueOfEs),
  },
  "pbf 5 (times as doubles)": {
    decode: (bytes) => byPbf.readExportTraceServiceRequest(new PbfReader(bytes)),
    records: (request) => recordsIn(request, snake, valueOfPbf),
  },
};
