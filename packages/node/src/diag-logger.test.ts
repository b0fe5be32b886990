import { expect, test } from "vitest";
import { fixture, runChild } from "./fixtures/run-child.ts";

test("what is logged of resources is masked as everywhere", async () => {
  const { stderr } = await runChild([fixture("start.mjs")], {
    THOUGHTFLOW_LOG_LEVEL: "all",
    OTEL_RESOURCE_ATTRIBUTES: "team=sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD",
  });
  expect(stderr).toContain("[redacted: ");
  expect(stderr).not.toContain("abcdefghijklmnopqrstuvwxyz0123456789");
});
