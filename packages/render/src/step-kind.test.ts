import type { Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { kindOf, labelWord } from "./step-kind.ts";

function message(text: string): Step {
  return { step_id: "s_1", label: "user_message", payload_started: { text } } as Step;
}

const SUMMARY =
  "This session is being continued from a previous conversation that ran out of context.";

test.each([
  ['<teammate-message teammate_id="alice">Two tests fail.</teammate-message>', "agent", "handoff"],
  [
    '<subagent_notification>{"agent_path":"/root/one","status":{"completed":"No."}}</subagent_notification>',
    "agent",
    "handoff",
  ],
  ['Background agent "Fix it" was stopped by the user.', "agent", "handoff"],
  ["<task-notification><task-id>a1</task-id></task-notification>", "agent", "handoff"],
  ["<local-command-stdout>Goodbye!</local-command-stdout>", "context", "note"],
  ["<local-command-caveat>Don't answer these.</local-command-caveat>", "context", "note"],
  [`${SUMMARY} Summary: a plan.`, "context", "note"],
  ["<command-name>/clear</command-name>", "user", "user"],
  ["Fix the tests.", "user", "user"],
])("%j in a user's place is of the kind %s", (text, kind, word) => {
  expect([kindOf(message(text)), labelWord(message(text))]).toEqual([kind, word]);
});

test("that a session is taken up is the program's note unless there is a prompt of these words", () => {
  const said = message("Continue from where you left off.");
  expect(kindOf({ ...said, origin: "derived" })).toBe("context");
  expect(kindOf({ ...said, origin: "recorded" })).toBe("user");
  expect(
    kindOf({ ...message("Continue from where you left off. Quickly."), origin: "derived" }),
  ).toBe("user");
});
