import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import type { Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { codex } from "./codex.ts";

const NAME = "rollout-2026-11-23T04-21-07-01a206a2-e04e-7cb2-b1c6-9975343de306.jsonl";
const PATH = fileURLToPath(new URL(`../../../fixtures/codex-scripted/${NAME}`, import.meta.url));
const LINES = readFileSync(PATH, "utf8").trimEnd().split("\n");

async function stepsOf(lines: readonly string[]): Promise<readonly Step[]> {
  const { records } = await recordsOf(codex, [sourceText(`${lines.join("\n")}\n`, NAME)]);
  return assemble(records).flatMap((one) => one.conversations.flatMap((run) => run.steps));
}

const labelsOf = (steps: readonly Step[]) => steps.map(({ label }) => label);

async function usagesOf(lines: readonly string[]): Promise<readonly unknown[]> {
  const steps = await stepsOf(lines);
  return steps.filter(({ label }) => label === "assistant_call").map(({ usage }) => usage);
}

test("the tokens of an answer are counted once, also where the line that tells them stands there twice", async () => {
  const isTelling = (line: string) => line.includes('"type":"token_usage_record"');
  const twice = LINES.flatMap((line) => (isTelling(line) ? [line, line] : [line]));
  expect(twice.length).toBeGreaterThan(LINES.length);
  expect(await usagesOf(twice)).toEqual(await usagesOf(LINES));
});

test("the tokens of an answer are counted once, also where what counts them all comes before what tells of that one", async () => {
  const isRecord = (line: string) => line.includes('"type":"token_usage_record"');
  const first = LINES.findIndex(isRecord);
  const count = LINES.findIndex((line) => line.includes('"type":"token_count"'));
  const swapped = LINES.with(first, LINES[count] ?? "").with(count, LINES[first] ?? "");
  expect(await usagesOf(swapped)).toEqual(await usagesOf(LINES));
});

test("a line that names what it tells of counts once, also where it stands there twice", async () => {
  const whole = await stepsOf(LINES);
  const twice = LINES.flatMap((line) => [line, line]);
  expect(labelsOf(await stepsOf(twice))).toEqual(labelsOf(whole));
});
