import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileTexts } from "../fixtures/hostile-texts.ts";
import { cleanText, oneLine, snippet } from "./clean-text.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(...hostileTexts),
);

test("clean text keeps what every format can hold and replaces the rest, one for one", () => {
  expect(cleanText("a\r\nb\rc\u{2028}d\te \u{0}\u{1b}\u{7f}\u{9b} \u{d83d} 👩‍👧 \u{fffe}")).toBe(
    "a\nb\nc\nd\te \u{fffd}\u{fffd}\u{fffd}\u{fffd} \u{fffd} 👩‍👧 \u{fffd}",
  );
});

test("cleaning is done once it is done", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const clean = cleanText(text);
      expect(cleanText(clean)).toBe(clean);
      expect(clean).not.toMatch(/(?![\n\t])\p{Cc}|\p{Cs}/u);
    }),
  );
});

test("a snippet is one line of at most so many characters, cut between words and never inside a character", () => {
  expect(snippet("  In Canberra right now\nit’s about 2°C (very chilly).", 30)).toBe(
    "In Canberra right now it’s…",
  );
  expect(snippet("👩👩👩👩👩", 3)).toBe("👩👩…");
  expect(snippet("short", 30)).toBe("short");
  expect(snippet("Look at this… and more of it", 15)).toBe("Look at this…");
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 50 }), (text, limit) => {
      const cut = snippet(text, limit);
      expect(Array.from(cut).length).toBeLessThanOrEqual(limit);
      expect(oneLine(cut)).toBe(cut);
    }),
  );
});

test("a line has nothing of the colours and cursor moves that a tool printed", () => {
  const printed =
    "\u{1b}[?25l\u{1b}[2K\u{1b}[1G\u{1b}[36m?\u{1b}[39m \u{1b}[1mWould you like ESLint?\u{1b}[22m";
  expect(oneLine(printed)).toBe("? Would you like ESLint?");
  expect(snippet(printed, 12)).toBe("? Would you…");
});
