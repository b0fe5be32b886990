import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { claudeCode } from "./claude-code.ts";

const idOf = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, "0")}`;

/** Answers begin with a `>`. */
function transcript(texts: readonly string[]): string {
  const lines = texts.map((text, nth) => ({
    type: text.startsWith(">") ? "assistant" : "user",
    uuid: idOf(nth),
    parentUuid: nth === 0 ? null : idOf(nth - 1),
    sessionId: "s1",
    isSidechain: false,
    timestamp: new Date(Date.UTC(2026, 8, 30, 1, 0, nth)).toISOString(),
    message: text.startsWith(">")
      ? { id: `m${nth}`, role: "assistant", model: "claude-opus-5-5", content: [words(text)] }
      : { role: "user", content: [words(text)] },
  }));
  return lines.map((line) => JSON.stringify(line)).join("\n");
}

const words = (text: string) => ({ type: "text", text });

test("a turn that somebody stopped before an answer came is a run of its own", async () => {
  const { records } = await recordsOfText(
    claudeCode,
    transcript([
      "First.",
      "> Done.",
      "Second.",
      "[Request interrupted by user]",
      "Third.",
      "> Done, too.",
    ]),
  );
  const runs = assemble(records)[0]?.conversations;
  expect(runs?.map(({ status, steps }) => [status, steps[0]?.payload_started])).toMatchObject([
    ["completed", { text: "First." }],
    ["aborted", { text: "Second." }],
    ["completed", { text: "Third." }],
  ]);
  expect(runs?.at(1)?.ended_at).toBe("2026-09-30T01:00:03.000Z");
});

test("a command of one's own that somebody stops leaves the turn before as it ended", async () => {
  const { records } = await recordsOfText(
    claudeCode,
    transcript([
      "First.",
      "> Done.",
      "<bash-input>sleep 100</bash-input>",
      "[Request interrupted by user]",
    ]),
  );
  const [session] = assemble(records);
  expect(session?.conversations.map(({ status }) => status)).toEqual(["completed"]);
  expect(session?.status).toBe("completed");
});
