import { expect, test } from "vitest";
import { directoryWith } from "../../testing/flow-directory.ts";
import { callsOfDocument } from "./calls-of-document.ts";

test("a call that is still open is not known: what it took is told by whatever ends it", async () => {
  const call = (spanId: string, status: string) => ({
    ...{ label: "assistant_call", trace_id: "t1", span_id: spanId, status },
  });
  const document = { conversations: [{ steps: [call("open", "running"), call("over", "ok")] }] };
  const dir = directoryWith({ "s.json": JSON.stringify(document) });
  expect(await callsOfDocument(dir, "s")).toEqual(new Map([["over", new Set(["t1"])]]));
});
