import type { Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { sessionOf, step } from "../testing/session-of.ts";
import { whyOf } from "./why.ts";

function whyLast(...runs: readonly (readonly Step[])[]) {
  const session = sessionOf(...runs);
  const run = session.conversations.at(-1);
  const last = run?.steps.at(-1);
  if (run === undefined || last === undefined) throw new Error("no step");
  return whyOf(session, { run, step: last });
}

test("a chain may be longer than the call stack", () => {
  const steps = Array.from({ length: 50_000 }, (_, at) =>
    step(`s${at}`, "generic", at === 0 ? [] : [`s${at - 1}`]),
  );
  expect(whyLast(steps).steps.length).toBe(49_999);
});
