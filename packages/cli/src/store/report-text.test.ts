import { expect, test } from "vitest";
import { reportText } from "./report-text.ts";

const report = (...amounts: readonly string[]) => ({
  columns: [{ name: "cost_usd", type: "money" as const }],
  rows: amounts.map((cost_usd) => ({ cost_usd })),
});

test("people read amounts without what adding binary fractions left over, and other programs read all of it", () => {
  const sum = "0.0011792999999999997";
  const shown = reportText(report(sum, "0.000000000075", "12", "100.0000000000001"));
  expect(shown.split("\n").map((line) => line.trim())).toEqual([
    "COST",
    "$0.0011793",
    "$0.000000000075",
    "$12",
    "$100",
    "",
  ]);
  expect(reportText(report(sum), "csv")).toBe(`cost_usd\r\n${sum}\r\n`);
});
