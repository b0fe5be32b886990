import { createRedactor } from "@thoughtflow/redaction";
import type { SpanRecord } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { createRecordRedaction } from "./redacted-record.ts";

test("a resource that spans share is masked once, and they share what it becomes", () => {
  const seen: string[] = [];
  const redactor = createRedactor({
    redact(text) {
      seen.push(text);
      return text;
    },
  });
  const resource = { "service.name": "elsewhere" };
  const record: SpanRecord = {
    type: "span_end",
    traceId: "1".repeat(32),
    spanId: "1".repeat(16),
    name: "step",
    kind: "internal",
    startTimeUnixNano: "1",
    endTimeUnixNano: "2",
    status: { code: "unset" },
    attributes: {},
    events: [],
    links: [],
    scope: { name: "test" },
    resource,
  };
  const redacted = Array.from({ length: 100 }, () => ({ ...record })).map(
    createRecordRedaction(redactor),
  );
  expect(seen.filter((text) => text === "elsewhere")).toHaveLength(1);
  expect(new Set(redacted.map((one) => one.resource))).toEqual(new Set([resource]));
});
