import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitrarySession } from "../fixtures/arbitrary-session.ts";
import { hostileTexts } from "../fixtures/hostile-texts.ts";
import { columnsOf, plainText } from "./plain-text.ts";
import { thread } from "./thread.ts";
import { tree } from "./tree.ts";

test("no text of data reaches the terminal as more than text, in no more columns than there are", () => {
  for (const text of hostileTexts) {
    expect(plainText(text)).not.toMatch(/(?![\n\t])\p{Cc}|[\u{202a}-\u{202e}\u{2066}-\u{2069}]/u);
  }
  expect(
    plainText("\u{1b}]8;;https://evil.example\u{7}link\u{1b}]8;;\u{7} \u{1b}[31mred\u{1b}[0m"),
  ).toBe("link red");
  fc.assert(
    fc.property(arbitrarySession, fc.integer({ min: 40, max: 120 }), (session, width) => {
      for (const renderer of [tree, thread]) {
        const lines = renderer.render(session, { width }).split("\n");
        expect(lines.filter((line) => columnsOf(line) > width)).toEqual([]);
        expect(plainText(lines.join("\n"))).toBe(lines.join("\n"));
      }
    }),
    { numRuns: 80 },
  );
});
