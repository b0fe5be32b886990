import { expect, test } from "vitest";
import { threadOf } from "./thread-entries.ts";

test("a command for the program is read as it was typed, and what a person says of one in full", () => {
  const said = (step_id: string, text: string) => ({
    step_id,
    label: "user_message",
    payload_started: { text },
  });
  const asked = "Why does <command-name>/exit</command-name> fail?";
  const steps = [
    said("a", "<command-name>/model</command-name>\n<command-message>model</command-message>"),
    said("b", "<bash-input>ls -a</bash-input>"),
    said("c", asked),
  ];
  const entries = threadOf({ conversation_id: "r", steps }, new Map());
  expect(entries.map(({ text }) => text)).toEqual(["/model", "!ls -a", asked]);
});
