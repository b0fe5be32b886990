import { createRedactor } from "@thoughtflow/redaction";
import { expect, test } from "vitest";
import { toolCallRecord } from "../testing/tool-call-record.ts";
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
  const record = { ...toolCallRecord(1, "s", "sunny"), resource };
  const redacted = Array.from({ length: 100 }, () => ({ ...record })).map(
    createRecordRedaction(redactor),
  );
  expect(seen.filter((text) => text === "elsewhere")).toHaveLength(1);
  expect(new Set(redacted.map((one) => one.resource))).toEqual(new Set([resource]));
});

test("what looks like a key is masked in each text of a record", () => {
  const key = "sk-proj-0123456789abcdefghijklmnop";
  const told = { ...toolCallRecord(1, "s", "sunny") };
  const attributes = { [key]: key };
  const record = {
    ...told,
    name: key,
    status: { code: "error", message: key } as const,
    attributes,
    events: [{ name: key, timeUnixNano: "1", attributes }],
    links: [{ traceId: told.traceId, spanId: told.spanId, attributes }],
    scope: { name: key, version: key },
    resource: attributes,
  };
  expect(JSON.stringify(record)).toContain(key);
  expect(JSON.stringify(createRecordRedaction()(record))).not.toContain(key);
});
