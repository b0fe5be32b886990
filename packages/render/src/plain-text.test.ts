import { expect, test } from "vitest";
import { plainText } from "./plain-text.ts";

test.each([
  ["colours", "a\u{1b}[31mred\u{1b}[0m b", "ared b"],
  ["a title", "a\u{1b}]0;mine\u{7}b", "ab"],
  ["a title in one-character controls", "a\u{9d}0;mine\u{9c}b", "ab"],
  ["a string that another one breaks off", "a\u{9d}one\u{9d}two\u{7}b", "aoneb"],
  ["a string that nothing ends", "a\u{90}b", "ab"],
])("of %s nothing is left that a terminal would act on", (_, text, plain) => {
  expect(plainText(text)).toBe(plain);
});

test.each(["\u{9d}", "\u{90}", "\u{1b}]", "\u{1b}"])(
  "a million of %j that nothing ends are read in one go",
  (opener) => {
    expect(plainText(opener.repeat(1_000_000)).length).toBeLessThanOrEqual(1_000_000);
  },
);
