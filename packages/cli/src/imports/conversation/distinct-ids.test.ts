import { expect, test } from "vitest";
import { createImportReport } from "../create-import-report.ts";
import { createDistinctIds } from "./distinct-ids.ts";

function idsOf() {
  const said: string[] = [];
  const report = createImportReport((line) => said.push(line), { isVerbose: true });
  return { ...createDistinctIds("s", report), said };
}

test("an id that stands for many things is numbered, what is told twice is not, and a person is told of the id once", () => {
  const { distinct, said } = idsOf();
  expect(["a", "b", "a", "c", "b"].map((text) => distinct("answer", "x", text))).toEqual([
    "x",
    "x~2",
    undefined,
    "x~3",
    undefined,
  ]);
  expect(said).toEqual(["s: answer x stands for different things; kept as x~2"]);
});

test("an id that is made of another one is nobody else's", () => {
  const { distinct, next } = idsOf();
  expect(distinct("answer", "x~2", "its own")).toBe("x~2");
  expect([1, 2, 3].map((text) => distinct("answer", "x", text))).toEqual(["x", "x~3", "x~4"]);
  expect([next("tool", "x"), next("tool", "x"), next("tool", "x")]).toEqual(["x", "x~2", "x~3"]);
});
