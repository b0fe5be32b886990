import { expect, test } from "vitest";
import type { RunDraft, StepDraft } from "./step-draft.ts";
import { createStepNames } from "./step-names.ts";

test("of two steps of a run with one id the last has it; the other is named by its run", () => {
  const run = { id: "r", spans: { traceId: "t", rootSpanId: "b" }, steps: [] as StepDraft[] };
  const step = (id: string, edges: StepDraft["edges"] = []) =>
    ({ run: run as unknown as RunDraft, id, label: "node", origin: "derived", edges }) as StepDraft;
  const [first, last] = [step("same"), step("same")];
  const edges = [last, first].map((to) => ({ to, type: "reads", origin: "observed" }) as const);
  run.steps.push(first, last, step("reader", edges));
  const names = createStepNames([first.run]);
  names.settle();
  expect([first, last].map((to) => names.nameFor(to, first.run))).toEqual(["r/same", "same"]);
});
