import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startThoughtFlow } from "./start-thoughtflow.ts";

test("a price file that is none is an invalid option, with the reason, and nothing is started", () => {
  const dir = mkdtempSync(join(tmpdir(), "own-prices-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const prices = join(dir, "prices.json");
  expect(() => startThoughtFlow({ dir, prices })).toThrow(
    /prices is ".*", expected a price file \(ENOENT/,
  );
  writeFileSync(prices, "{}");
  expect(() => startThoughtFlow({ dir, prices })).toThrow(
    "expected a price file (The price file's version is undefined, expected a text.)",
  );
});
