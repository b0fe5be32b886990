import { assemble } from "@thoughtflow/assemble";
import { isAfterCompaction } from "@thoughtflow/schema/steps";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { promptsOfCalls } from "../../../testing/prompts-of-calls.ts";
import { codex } from "./codex.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 6, 6, 10, 0, seconds)).toISOString();

let seconds = 0;
function line(type: string, payload: object): string {
  return JSON.stringify({ timestamp: at(++seconds), type, payload });
}

function message(role: string, text: string): string {
  const type = role === "assistant" ? "output_text" : "input_text";
  return line("response_item", { type: "message", role, content: [{ type, text }] });
}

function answer(text: string): readonly string[] {
  const usage = { input_tokens: 100, output_tokens: 10, total_tokens: ++seconds };
  const info = { last_token_usage: usage, total_token_usage: usage };
  return [message("assistant", text), line("event_msg", { type: "token_count", info })];
}

const META = line("session_meta", { id: "t1", base_instructions: { text: "You are Codex." } });
const TURNS = [
  META,
  message("developer", "Ask before you write."),
  message("user", "Look around."),
  ...answer("A library."),
  message("user", "Mend it."),
  ...answer("Mended."),
  message("developer", "You may write now."),
  message("user", "Go on."),
  ...answer("Going."),
  message("user", "Further."),
  ...answer("Done."),
];

async function promptsOf(lines: readonly string[]) {
  const { records } = await recordsOfText(codex, `${lines.join("\n")}\n`);
  return promptsOfCalls(records);
}

const FIRST = ["# You are Codex.", "# Ask before you write.", "Look around."];
const SECOND = [...FIRST, "A library.", "Mend it."];
const THIRD = [...SECOND, "Mended.", "# You may write now.", "Go on."];

test("each call is sent all instructions so far, where they stand among the messages", async () => {
  expect(await promptsOf(TURNS)).toEqual([FIRST, SECOND, THIRD, [...THIRD, "Going.", "Further."]]);
});

test("a summary in the place of the history leaves the instructions that are told with it", async () => {
  const replacement_history = [
    { type: "message", role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
    { type: "message", role: "user", content: [{ type: "input_text", text: "It was mended." }] },
  ];
  const compacted = line("compacted", { message: "", replacement_history });
  const lines = [...TURNS, compacted, message("user", "And now?"), ...answer("Now.")];
  expect((await promptsOf(lines)).at(-1)).toEqual([
    "# You are Codex.",
    "# Be brief.",
    "It was mended.",
    "And now?",
  ]);
});

test("a run that is compacted later ends with its last answer", async () => {
  seconds += 3000;
  const words = { role: "user", content: [{ type: "input_text", text: "It was mended." }] };
  const replacement_history = [{ type: "message", ...words }];
  const lines = [...TURNS, line("compacted", { message: "", replacement_history })];
  const { records } = await recordsOfText(codex, `${lines.join("\n")}\n`);
  const run = assemble(records)[0]?.conversations.at(-1);
  const answered = run?.steps.findLast(({ label }) => label === "assistant_call");
  expect(answered?.ended_at).toBeDefined();
  expect(run?.ended_at).toBe(answered?.ended_at);
  // No call was given the summary: it tells itself what it stands for.
  expect(run?.steps.filter(isAfterCompaction)).toMatchObject([
    { label: "generic", payload_started: { text: "It was mended." } },
  ]);
});
