import { readFileSync } from "node:fs";
import { assemble } from "@thoughtflow/assemble";
import type { Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { claudeCode } from "./claude-code.ts";

const isNote = ({ label, payload_started: payload }: Step): boolean =>
  label === "generic" && payload?.["text"] === "Conversation compacted";

test("a run that is compacted later ends with its last answer, and the note of it keeps its own time", async () => {
  const name = "4c1ef759-4cc1-4a0b-8e2b-9b7717251dbc.jsonl";
  const file = new URL(`../../../fixtures/claude-code-scripted/${name}`, import.meta.url);
  const { records } = await recordsOf(claudeCode, [sourceText(readFileSync(file, "utf8"), name)]);
  const [session] = assemble(records);
  const run = session?.conversations.find(({ steps }) => steps.some(isNote));
  const answered = run?.steps.findLast(({ label }) => label === "assistant_call");
  const note = run?.steps.find(isNote);
  expect([run?.ended_at, note?.label, note?.started_at]).toEqual([
    answered?.ended_at,
    "generic",
    "2026-11-23T04:01:06.216Z",
  ]);
});
