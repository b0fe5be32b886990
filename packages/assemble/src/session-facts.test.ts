import { expect, test } from "vitest";
import { firstPrompt } from "./session-facts.ts";

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
