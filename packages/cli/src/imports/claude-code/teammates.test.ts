import { expect, test } from "vitest";
import { wordsOfAgents } from "./teammates.ts";

test("messages in a record are told one after the other, with who said them; what begins in one is its own", () => {
  const text = [
    '<teammate-message teammate_id="a" summary="s">\nSay <agent-message>, please.\n</teammate-message>',
    '<agent-message from="b">Yes.</agent-message>',
    "<cross-session-message>No end.",
  ].join("\n\n");
  expect(wordsOfAgents(text)).toEqual([
    { from: "a", words: "\nSay <agent-message>, please.\n" },
    { from: "b", words: "Yes." },
  ]);
});

test("a text that begins a message again and again and ends none takes no time", () => {
  const before = performance.now();
  expect(wordsOfAgents("<agent-message>".repeat(100_000))).toEqual([]);
  expect(performance.now() - before).toBeLessThan(2_000);
});
