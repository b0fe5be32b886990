import { expect, test } from "vitest";
import { sessionNamed, step } from "../testing/session-of.ts";
import { impactOf } from "./impact.ts";

test("hundreds of thousands of steps may rest on one", () => {
  const resting = Array.from({ length: 200_000 }, (_, n) => step(`n${n}`, "node", ["one"]));
  const begin = [step("root", "generic"), step("one", "node", ["root"])];
  const session = sessionNamed("wide", begin.concat(resting));
  expect(impactOf([session], "root")[0]?.steps.length).toBe(200_001);
});
