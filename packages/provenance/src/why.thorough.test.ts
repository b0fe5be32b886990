import { expect, test } from "vitest";
import { step } from "../testing/session-of.ts";
import { whyLast } from "../testing/why-last.ts";

test("a chain may be longer than the call stack", () => {
  const steps = Array.from({ length: 50_000 }, (_, at) =>
    step(`s${at}`, "generic", at === 0 ? [] : [`s${at - 1}`]),
  );
  expect(whyLast(steps).steps.length).toBe(49_999);
});
