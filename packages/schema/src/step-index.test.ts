import { expect, test } from "vitest";
import type { Run, Session } from "./document.ts";
import { createStepIndex } from "./step-index.ts";

const trace = "0af7651916cd43dd8448eb211c80319c";

function run(id: string, more: Partial<Run>): Run {
  return { conversation_id: id, steps: [], ...more };
}

const first: Run = run("first", {
  trace_id: trace,
  steps: [
    { step_id: "ask", label: "user_message" },
    { step_id: "a/b", label: "node", aliases: ["s_1"] },
  ],
});
const second: Run = run("second", { steps: [{ step_id: "ask", label: "user_message" }] });
const session: Session = { session_id: "talk", conversations: [first, second] };

test.each([
  ["ask", first, first, "ask"],
  ["ask", second, second, "ask"],
  ["s_1", second, first, "a/b"],
  ["first/ask", second, first, "ask"],
  ["first/a/b", second, first, "a/b"],
  [`${trace}/ask`, second, first, "ask"],
] as const)("%s, named in run %o, is a step of %o", (id, from, of, stepId) => {
  const found = createStepIndex(session)(id, from);
  expect(found?.run).toBe(of);
  expect(found?.step.step_id).toBe(stepId);
});

test("an id that the session doesn't have is none", () => {
  const index = createStepIndex(session);
  for (const id of ["nobody", "first/nobody", "nobody/ask", "/", ""])
    expect(index(id, first)).toBeUndefined();
});
