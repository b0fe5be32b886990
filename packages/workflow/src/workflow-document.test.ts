import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { workflowJsonSchema } from "./workflow-document.ts";

test("the published JSON Schema is the one that the zod schemas make (schema:write makes it anew)", () => {
  const file = new URL("../thoughtflow-workflow.schema.json", import.meta.url);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(workflowJsonSchema());
});
