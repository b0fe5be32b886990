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

// Nothing can be counted of how a text is searched: with a look for the end of each message it would never end.
test("a text that begins hundreds of thousands of messages and ends none is searched once", () => {
  expect(wordsOfAgents("<agent-message>".repeat(500_000))).toEqual([]);
});
