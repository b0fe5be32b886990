import type { Dialect } from "@thoughtflow/dialects";
import { openaiChat } from "@thoughtflow/dialects";
import { expect, test } from "vitest";
import { MOST_KEPT_BYTES } from "./kept-texts.ts";
import { inputMessagesOf } from "./materialise.ts";

/** A text that takes a sixteenth of all that is kept. */
const large = "x".repeat(MOST_KEPT_BYTES / 2 / 16);

const dialect: Dialect = openaiChat;
const callWith = (...texts: string[]) => ({
  dialect,
  request: { messages: texts.map((content) => ({ role: "user", content })) },
});

test("of texts above 64 MiB in all the oldest are let go, and made anew when somebody asks", () => {
  const first = callWith("the first", large);
  const [before] = inputMessagesOf(first);
  const held = Array.from({ length: 12 }, (_, turn) => callWith(`${turn} ${large}`));
  for (const call of held) inputMessagesOf(call);
  expect(inputMessagesOf(first)[0]).toBe(before);

  const more = Array.from({ length: 6 }, (_, turn) => callWith(`${turn} more ${large}`));
  for (const call of more) inputMessagesOf(call);
  const [after] = inputMessagesOf(first);
  expect(after).toEqual(before);
  expect(after).not.toBe(before);
  // All of them were in use until here.
  expect([...held, ...more]).toHaveLength(18);
});
