import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { followedRecords } from "../../../testing/followed-records.ts";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { claudeCode } from "./claude-code.ts";
import { programWords } from "./program-words.ts";

const COMMAND = "<command-name>/exit</command-name>";
const BYE = "<local-command-stdout>Bye!</local-command-stdout>";

/** The ids of two sessions' records, by their numbers. */
const idOf = (count: number) => `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;

/** Each record follows the one before, across sessions. */
function transcript(sessionId: string, first: number, texts: readonly string[]): string {
  const lines = texts.map((text, nth) => {
    const isAnswer = text === "Done.";
    const content = isAnswer ? [{ type: "text", text }] : text;
    const answer = { id: `m${first + nth}`, model: "claude-opus-4-8" };
    return JSON.stringify({
      type: isAnswer ? "assistant" : "user",
      uuid: idOf(first + nth),
      parentUuid: first + nth === 0 ? null : idOf(first + nth - 1),
      sessionId,
      timestamp: new Date(Date.UTC(2026, 6, 6, 10, 0, first + nth)).toISOString(),
      message: { role: isAnswer ? "assistant" : "user", content, ...(isAnswer && answer) },
    });
  });
  return lines.join("\n");
}

async function sessionsOf(...sessions: readonly (readonly string[])[]) {
  let first = 0;
  const files = sessions.map((texts, nth) => {
    const text = transcript(`s${nth}`, first, texts);
    first += texts.length;
    return sourceText(text, `s${nth}.jsonl`);
  });
  const { records, warnings } = await recordsOf(claudeCode, files);
  return { sessions: assemble(records), warnings };
}

async function runsOf(...texts: readonly string[]) {
  const { sessions } = await sessionsOf(texts);
  return sessions.flatMap(({ conversations }) =>
    conversations.map(({ steps }) =>
      steps
        .filter(({ label }) => label === "user_message" || label === "generic")
        .map(({ label, payload_started: told, depends_on: on }) => [
          label,
          told?.["text"] ?? on,
          told?.["name"],
        ]),
    ),
  );
}

test.each([
  ["<bash-stdout>a.txt\n</bash-stdout><bash-stderr></bash-stderr>", "bash-stdout"],
  ["<local-command-stdout></local-command-stdout>", "local-command-stdout"],
  ["<system-reminder>\nIt is late.\n</system-reminder>\n", "system-reminder"],
  ["<bash-stdout>cut", "bash-stdout"],
  ["<bash-input>ls</bash-input>", undefined],
  ["<system-reminder>It is late.</system-reminder>Build it.", undefined],
  [`<system-reminder>It is late.</system-reminder>${COMMAND}`, undefined],
  ["Build it.", undefined],
  ["", undefined],
])("%j is of the program or of a person", (text, name) => {
  expect(programWords(text)).toBe(name);
});

test("what a command gave is no prompt: the run begins with what was typed, and ends with what came of it", async () => {
  expect(await runsOf("Build it.", "Done.", COMMAND, BYE)).toEqual([
    [["user_message", "Build it.", undefined]],
    [
      ["user_message", COMMAND, undefined],
      ["generic", BYE, "local-command-stdout"],
    ],
  ]);
});

test("what a command gave begins no run by itself", async () => {
  const out = "<bash-stdout>ok</bash-stdout><bash-stderr></bash-stderr>";
  expect((await runsOf("Build it.", "Done.", out)).length).toBe(1);
});

test("what a command gave waits for the call that is given it, where a transcript is followed", async () => {
  const text = transcript("s0", 0, ["Build it.", "Done.", COMMAND, BYE, "Test it.", "Done."]);
  const followed = assemble(await followedRecords(claudeCode, text, "s0.jsonl"));
  const { records } = await recordsOf(claudeCode, [sourceText(text, "s0.jsonl")]);
  const [session] = assemble(records);
  // What was open at first is told once more at its end.
  expect(followed).toEqual([{ ...session, revision: followed[0]?.revision }]);
});

test("a session that is resumed after what its last command gave goes on from that command", async () => {
  const { sessions } = await sessionsOf(
    ["Build it.", "Done.", COMMAND, BYE],
    ["Test it.", "Done."],
  );
  const steps = sessions.flatMap(({ conversations }) => conversations.flatMap((run) => run.steps));
  const command = steps.find(({ payload_started: told }) => told?.["text"] === COMMAND);
  const edges = steps.flatMap((step) => step.edges ?? []);
  expect(
    edges.filter(({ type }) => type === "continues").map(({ to }) => to.split("/")[1]),
  ).toEqual([command?.step_id]);
});
