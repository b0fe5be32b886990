import { expect, test } from "vitest";
import { titleOfWords } from "./title-of-words.ts";

test.each([
  ["Fix the tests.", "Fix the tests."],
  [
    "<ide_opened_file>The user opened a.md.</ide_opened_file>\nDisable MD034 here",
    "Disable MD034 here",
  ],
  ["<a>1</a> <b-c>2\n3</b-c>\n\nWhat is it?", "What is it?"],
  ["<environment_context>\n  <cwd>/x</cwd>\n</environment_context>", undefined],
  ["<unclosed>Fix the tests", undefined],
  ["", undefined],
  ["a < b", "a < b"],
])("%j makes the title %j", (text, title) => {
  expect(titleOfWords(text)).toBe(title);
});

test("words behind very many notes are found in time", () => {
  expect(titleOfWords(`${"<a>1</a>".repeat(100_000)}Fix it`)).toBe("Fix it");
  expect(titleOfWords("<a>".repeat(1_000_000))).toBeUndefined();
});
