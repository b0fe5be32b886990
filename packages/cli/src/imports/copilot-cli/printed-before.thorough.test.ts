import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { importedInTurn } from "../../../testing/imported-in-turn.ts";

const fixture = (path: string) =>
  readFileSync(new URL(`../../../fixtures/${path}`, import.meta.url), "utf8");

/** What the program prints of a session whose file this is: all but its first line and what the model is told, and how it ended. */
function printOf(file: string): string {
  const lines = file.trimEnd().split("\n");
  const { sessionId } = JSON.parse(lines[0] ?? "").data;
  const printed = lines.filter(
    (line) => !/^{"type":"(session\.(start|shutdown)|system\.message)"/.test(line),
  );
  return `${[...printed, JSON.stringify({ type: "result", sessionId, exitCode: 0, usage: {} })].join("\n")}\n`;
}

const IDS = [1, 2, 3].map((nth) => `11111111-1111-4111-8111-11111111111${nth}`);

describe.each(IDS)("of the session %s", (id) => {
  const file = fixture(`copilot-cli-scripted/${id}/events.jsonl`);
  const own = { [`${id}/events.jsonl`]: file };
  const print = { "printed.jsonl": printOf(file) };

  test("what was printed and its own file count once, one after the other, and the file tells more", async () => {
    const { sums } = await importedInTurn("copilot-cli", own);
    expect(Object.keys(sums)).toEqual([id]);
    expect((await importedInTurn("copilot-cli", print, own)).sums).toEqual(sums);
    const after = await importedInTurn("copilot-cli", own, print);
    expect(after.sums).toEqual(sums);
    expect(after.said).toContain("the directory has its calls already");
  });

  test("a print tells the run that the file doesn't have yet", async () => {
    const whole = await importedInTurn("copilot-cli", own);
    const lines = file.trimEnd().split("\n");
    const end = lines.findLastIndex((line) => line.startsWith('{"type":"user.message"'));
    const begun = { [`${id}/events.jsonl`]: `${lines.slice(0, end).join("\n")}\n` };
    expect((await importedInTurn("copilot-cli", begun, print)).sums).toEqual(whole.sums);
  });
});

test("two runs of the program with one session are one session, named as it is", async () => {
  const prints = {
    "a.jsonl": fixture("copilot-cli-headless/plain.jsonl"),
    "b.jsonl": fixture("copilot-cli-headless/again.jsonl"),
  };
  const { sums } = await importedInTurn("copilot-cli", prints);
  expect(Object.entries(sums).map(([id, [runs]]) => [id, runs])).toEqual([
    ["33333333-3333-4333-8333-333333333301", 2],
  ]);
});
