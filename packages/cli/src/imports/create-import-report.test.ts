import type { FlowRecord } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { createImportReport } from "./create-import-report.ts";

const key = "sk-proj-0123456789abcdefghijklmnop";

test("secrets are masked by what they look like and by what their attribute is called, and nothing else is", async () => {
  const record: FlowRecord = {
    type: "span_end",
    traceId: "1".repeat(32),
    spanId: "2".repeat(16),
    name: "call",
    kind: "client",
    startTimeUnixNano: "1",
    endTimeUnixNano: "2",
    status: { code: "unset" },
    attributes: { before: "hunter2", "db.password": "hunter2", after: "hunter2", [key]: key },
    events: [],
    links: [],
    scope: { name: "test" },
    resource: {},
  };
  async function* records() {
    yield record;
  }
  const masked: FlowRecord[] = [];
  for await (const one of createImportReport(() => {}).masked(records())) masked.push(one);
  expect(masked).toEqual([
    {
      ...record,
      attributes: {
        before: "hunter2",
        "db.password": "[redacted: password]",
        after: "hunter2",
        "[redacted: api_key]": "[redacted: api_key]",
      },
    },
  ]);
});
