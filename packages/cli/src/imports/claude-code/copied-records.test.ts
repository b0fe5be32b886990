import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { checkSession } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { scriptedAnswers } from "../../../testing/scripted-answers.ts";
import { sourceFile } from "../source-file.ts";
import { claudeCode } from "./claude-code.ts";

const DIR = fileURLToPath(new URL("../../../fixtures/claude-code-fork-scripted/", import.meta.url));
const FORK = "11111111-0000-4000-8000-000000000002";

test("a fork whose answers say which session's request they answer has its own calls alone, without that session, too", async () => {
  const file = sourceFile(`${DIR}${FORK}.jsonl`, `${FORK}.jsonl`);
  const { records } = await recordsOf(claudeCode, [file]);
  const sessions = assemble(records);
  expect(sessions.flatMap(checkSession)).toEqual([]);
  const calls = sessions.flatMap(({ conversations }) =>
    conversations.flatMap(({ steps }) => steps.filter(({ label }) => label === "assistant_call")),
  );
  expect(
    calls.map(({ payload_completed: answer, usage }) => [
      answer?.["response_id"],
      usage?.input_tokens,
    ]),
  ).toEqual(
    scriptedAnswers(`${DIR}provider.jsonl`).map(({ id, usage: { input, read, write } }) => [
      id,
      input + read + write,
    ]),
  );
});
