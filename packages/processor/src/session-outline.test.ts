import { test } from "vitest";
import { compareStretches } from "../testing/compare-stretches.ts";

test("a session that is taken apart has the bytes of the same session in one piece, whatever it is made of", async () => {
  await compareStretches(40);
});
