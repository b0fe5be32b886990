import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { codex } from "./codex.ts";

const NAME = "rollout-2026-11-23T04-21-07-01a206a2-e04e-7cb2-b1c6-9975343de306.jsonl";
const PATH = fileURLToPath(new URL(`../../../fixtures/codex-scripted/${NAME}`, import.meta.url));
const LINES = readFileSync(PATH, "utf8").trimEnd().split("\n");

async function usagesOf(lines: readonly string[]): Promise<readonly unknown[]> {
  const { records } = await recordsOf(codex, [sourceText(`${lines.join("\n")}\n`, NAME)]);
  return assemble(records)
    .flatMap((one) => one.conversations.flatMap((run) => run.steps))
    .filter(({ label }) => label === "assistant_call")
    .map(({ usage }) => usage);
}

test("the tokens of an answer are counted once, also where the line that tells them stands there twice", async () => {
  const isTelling = (line: string) => line.includes('"type":"token_usage_record"');
  const twice = LINES.flatMap((line) => (isTelling(line) ? [line, line] : [line]));
  expect(twice.length).toBeGreaterThan(LINES.length);
  expect(await usagesOf(twice)).toEqual(await usagesOf(LINES));
});
