import { expect, test } from "vitest";
import { firstPrompt, titleSaid } from "./session-facts.ts";

test("what a program puts in the place of a compacted history is no first prompt", () => {
  const run = (...texts: readonly string[]) => ({
    conversation_id: "r",
    steps: texts.map((text, at) => ({
      step_id: `s_${at}`,
      label: "user_message",
      payload_started: { text },
    })),
  });
  const summary = "This session is being continued from a previous conversation. Summary: a plan.";
  expect(firstPrompt([run(summary, "Go on.")])).toBe("Go on.");
  expect(firstPrompt([run(summary)])).toBeUndefined();
});

test("a session of which a command is all that was asked is called as it was typed", () => {
  const command = "<command-name>/model</command-name>\n<command-message>model</command-message>";
  expect(titleSaid(`${command}\n<command-args></command-args>`)).toBe("/model");
  expect(titleSaid("<bash-input>ls -a</bash-input>")).toBe("!ls -a");
});
