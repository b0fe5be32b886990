import type { SpanRecord } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { plainRecord } from "../testing/plain-record.ts";
import { spansOfRecords } from "./record-span.ts";

test("records that share a resource share it as spans, however large it is: it is read once; equal ones become one", () => {
  let read = 0;
  const resourceOf = (): SpanRecord["resource"] =>
    Object.defineProperty({ "service.name": "elsewhere" }, "toJSON", {
      value() {
        read += 1;
        return { ...this };
      },
    });
  const record = plainRecord(1, { resource: resourceOf() });
  const others = Array.from({ length: 100 }, () => ({ ...record }));
  const spans = spansOfRecords([...others, { ...record, resource: resourceOf() }]);
  expect(new Set(spans.map(({ resource }) => resource)).size).toBe(1);
  expect(read).toBe(2);
});
