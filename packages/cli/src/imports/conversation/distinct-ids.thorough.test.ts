import { expect, test } from "vitest";
import { createImportReport } from "../create-import-report.ts";
import { createDistinctIds } from "./distinct-ids.ts";

function idsOf() {
  const said: string[] = [];
  const report = createImportReport((line) => said.push(line), { isVerbose: true });
  return { ...createDistinctIds("s", report), said };
}

test("an id that all things have, as where it is empty, takes no longer for each than the one before", () => {
  const { distinct, next } = idsOf();
  const ids = new Set<string | undefined>();
  for (let n = 0; n < 100_000; n++) {
    ids.add(distinct("answer", "", n));
    ids.add(`tool ${next("tool", "")}`);
  }
  expect(ids.size).toBe(200_000);
});
