import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { encodeProtobufRequest } from "@thoughtflow/otlp";
import type { SpanRecord } from "@thoughtflow/schema";
import { listRecordings, loadExchanges } from "@thoughtflow/testkit";
import { expect, test } from "vitest";
import { decodedRequest } from "../packages/otlp/testing/official-definitions.ts";
import { replayRecordings } from "./recordings/replay-recordings.ts";

const kinds = ["internal", "server", "client", "producer", "consumer"];
const codes = ["unset", "ok", "error"];

test("real calls, with their content, reach the official definitions as the official serialiser sends them", async () => {
  const names = listRecordings().filter((name) => /tool|conversation/.test(name));
  const recordings = names.map((name) => ({ name, exchanges: loadExchanges(name) }));
  const { records } = await replayRecordings(recordings);
  const resource = { attributes: { "service.name": "app" } };
  const scope = { name: "@thoughtflow/instrumentation-openai", version: "0.1.0" };
  const spans = records
    .filter((record): record is SpanRecord => record.type === "span_end")
    .map((record) => spanOf(record, resource, scope));
  expect(spans.length).toBeGreaterThan(30);
  const official = ProtobufTraceSerializer.serializeRequest(spans) ?? new Uint8Array();
  expect(decodedRequest(encodeProtobufRequest(spans))).toEqual(decodedRequest(official));
});

/** The span that a record was made of, its content in attributes as on OTLP. */
function spanOf(record: SpanRecord, resource: object, instrumentationScope: object): ReadableSpan {
  const { traceId, spanId, parentSpanId, content = {} } = record;
  const contextOf = (ids: { traceId: string; spanId: string }) => ({ ...ids, traceFlags: 1 });
  const span = {
    name: record.name,
    kind: kinds.indexOf(record.kind),
    spanContext: () => contextOf({ traceId, spanId }),
    parentSpanContext: parentSpanId && contextOf({ traceId, spanId: parentSpanId }),
    startTime: timeOf(record.startTimeUnixNano),
    endTime: timeOf(record.endTimeUnixNano ?? "0"),
    status: { ...record.status, code: codes.indexOf(record.status.code) },
    attributes: { ...record.attributes, ...content },
    links: record.links.map(({ attributes, ...ids }) => ({ context: contextOf(ids), attributes })),
    events: record.events.map(({ timeUnixNano, ...event }) => ({
      ...event,
      time: timeOf(timeUnixNano),
    })),
    resource,
    instrumentationScope,
    ended: true,
    duration: [0, 0],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
  return span as unknown as ReadableSpan;
}

function timeOf(nanoseconds: string): [number, number] {
  return [
    Number(BigInt(nanoseconds) / 1_000_000_000n),
    Number(BigInt(nanoseconds) % 1_000_000_000n),
  ];
}
