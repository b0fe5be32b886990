import { expect, test } from "vitest";
import { dot } from "./dot.ts";

test("a request is told in short lines, its quotes and backslashes as they are", () => {
  const model = 'C:\\new\\models\\quantised "small" one of the second generation';
  const call = { step_id: "call", label: "assistant_call", payload_started: { model } };
  const conversations = [{ conversation_id: "r", steps: [call] }];
  expect(dot.render({ session_id: "s", conversations })).toContain(
    String.raw`[label="1 · C:\\new\\models\\quantised\n\"small\" one of the second\ngeneration"`,
  );
});
