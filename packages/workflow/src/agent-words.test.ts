import { expect, test } from "vitest";
import { agentWords } from "./agent-words.ts";

const told = (from: string, words: string) =>
  `<teammate-message teammate_id="${from}" color="blue" summary="a > b">\n${words}\n</teammate-message>`;

test.each([
  [told("alice", "Two tests fail."), "alice: Two tests fail."],
  [
    `Another Claude session sent a message:\n${told("alice", "Yes.")}\n\n${told("bob", "No.")}`,
    "alice: Yes. · bob: No.",
  ],
  ['<agent-message from="a1">Done.</agent-message>', "a1: Done."],
  ["<cross-session-message>Done.</cross-session-message>", "Done."],
  ['<teammate-message teammate_id="alice">cut off', "alice: cut off"],
  [told("alice", ""), undefined],
  [`See ${told("alice", "Yes.")}`, undefined],
  ["<agent-messages>", undefined],
  ["Fix the tests.", undefined],
])("of %j other agents said %j", (text, words) => {
  expect(agentWords(text)).toBe(words);
});

test("very many messages take no time", () => {
  expect(agentWords('<agent-message from="a">'.repeat(100_000))).toMatch(/^a: /);
  expect(agentWords(told("a", "b").repeat(100_000))).toMatch(/^a: b · a: b/);
});
