import { workflowOfSessions } from "@thoughtflow/workflow/document";
import { expect, test } from "vitest";
import { at, call } from "../fixtures/agent-calls.ts";
import { workflowRenderers } from "./workflow-renderers.ts";

test("an agent of 150,000 requests has a chart", () => {
  const steps = Array.from({ length: 150_000 }, (_, n) => call(`c${n}`, "busy", n));
  const many = { session_id: "many", conversations: [{ conversation_id: "r", steps }] };
  const workflow = workflowOfSessions([many], { extractionTimestamp: at(0) });
  expect(workflowRenderers.gantt.render(workflow)).toContain("150,000 requests");
});
