import { readFileSync } from "node:fs";
import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../testing/imported-records.ts";
import { claudeCode } from "./claude-code/claude-code.ts";
import { copilotCli } from "./copilot-cli/copilot-cli.ts";
import { geminiCli } from "./gemini-cli/gemini-cli.ts";
import { pi } from "./pi/pi.ts";

const FIXTURES = new URL("../../fixtures/", import.meta.url);
const CLAUDE = "claude-code-killed-scripted/11111111-0000-4000-8000-000000000031.jsonl";
const COPILOT = "copilot-cli-scripted/11111111-1111-4111-8111-111111111114/events.jsonl";
const GEMINI = "gemini-cli-scripted/session-2026-11-23T04-13-f53d4c00.jsonl";
const PI = "pi-killed-scripted/2026-11-27T00-57-27-985Z_01a21a81-dcb0-7416-8197-09b966b0def3.jsonl";

const ONE_TIME = new Set(["2026", 0]);

/** A recording of which no time can be read but that of one line, counted from the end if below 0. */
function withOneTime(path: string, kept: number): string {
  const lines = readFileSync(new URL(path, FIXTURES), "utf8").trimEnd().split("\n");
  return lines
    .map((line, nth) =>
      nth === (kept + lines.length) % lines.length
        ? line
        : line.replace(/"timestamp": ?("[^"]*"|\d+)/g, '"timestamp":"?"'),
    )
    .join("\n");
}

async function timesOf(format: typeof claudeCode, text: string) {
  const { records } = await recordsOfText(format, text);
  const runs = assemble(records).flatMap(({ conversations }) => conversations);
  return new Set(
    runs.flatMap(({ started_at, duration_ms }) => [started_at?.slice(0, 4), duration_ms]),
  );
}

test.each([0, 3, 6])(
  "where line %i alone has a time that can be read, nothing began in 1970",
  async (kept) => {
    expect(await timesOf(claudeCode, withOneTime(CLAUDE, kept))).toEqual(ONE_TIME);
    expect(await timesOf(copilotCli, withOneTime(COPILOT, kept))).toEqual(ONE_TIME);
    expect(await timesOf(pi, withOneTime(PI, kept))).toEqual(ONE_TIME);
  },
);

test("the time may stand behind all that is read to tell what a file is", async () => {
  const [first = "", ...rest] = withOneTime(CLAUDE, -1).split("\n");
  const notes = Array.from({ length: 60 }, () =>
    first.replace(/"type": ?"user"/, '"type":"mode"').replace(/"uuid": ?"[^"]*",?/, ""),
  );
  expect(await timesOf(claudeCode, [first, ...notes, ...rest].join("\n"))).toEqual(ONE_TIME);
});

test("the same of a chat of Gemini CLI, of which a line may hold several messages", async () => {
  const times = await timesOf(geminiCli, withOneTime(GEMINI, -2));
  expect(times).toContain("2026");
  expect(times).not.toContain("1970");
});
