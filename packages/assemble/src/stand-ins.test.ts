import { expect, test } from "vitest";
import { createStandIns } from "./stand-ins.ts";
import type { StepDraft } from "./step-draft.ts";

test("who stands for the first of very many steps of one call is found at once, however often it is asked", () => {
  const steps = Array.from({ length: 200_000 }, (_, n) => ({ id: `s${n}` }) as StepDraft);
  const standIns = createStandIns();
  let last: StepDraft | undefined;
  for (const step of steps) {
    if (last !== undefined) standIns.join(step, last, (_, outer) => outer);
    last = step;
  }
  const [first] = steps;
  const found = new Set(steps.map(() => first && standIns.of(first)));
  expect([...found]).toEqual([last]);
});
