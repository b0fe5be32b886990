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
const ANSWERS = ["All done: 42.", "Resumed done."];

/** The item of the history that tells an answer, and the event that does. */
const tellsOf = (answer: string) => (line: string) =>
  line.includes(answer) && /"type":"(?:message|agent_message|item_completed)"/.test(line);

async function stepsOf(lines: readonly string[]): Promise<readonly Step[]> {
  const { records } = await recordsOf(codex, [sourceText(`${lines.join("\n")}\n`, NAME)]);
  return assemble(records).flatMap((one) => one.conversations.flatMap((run) => run.steps));
}

const callsIn = (steps: readonly Step[]) =>
  steps
    .filter(({ label }) => label === "assistant_call")
    .map(({ payload_completed, usage }) => [payload_completed?.["text"], usage]);

test.each(ANSWERS)(
  "an answer that nothing but the end of its turn tells is told: %s",
  async (answer) => {
    const whole = callsIn(await stepsOf(LINES));
    expect(whole.filter(([text]) => text === answer)).toHaveLength(1);
    const left = LINES.filter((line) => !tellsOf(answer)(line));
    expect(left.length).toBeLessThan(LINES.length);
    expect(callsIn(await stepsOf(left))).toEqual(whole);
  },
);

test("an answer is told once, also where its turn's end is told twice, or before it", async () => {
  const whole = callsIn(await stepsOf(LINES));
  const isEnd = (line: string) => line.includes('"type":"task_complete"');
  const twice = LINES.flatMap((line) => (isEnd(line) ? [line, line] : [line]));
  expect(callsIn(await stepsOf(twice))).toEqual(whole);
  const isItem = (line: string) =>
    line.includes('"response_item"') && tellsOf(ANSWERS[0] ?? "")(line);
  const end = LINES.findIndex(isEnd);
  const late = [
    ...LINES.slice(0, end + 1).filter((line) => !tellsOf(ANSWERS[0] ?? "")(line)),
    ...LINES.filter(isItem),
    ...LINES.slice(end + 1),
  ];
  expect(callsIn(await stepsOf(late))).toEqual(whole);
});
