import { expect, it } from "vitest";
import { titleFrom } from "./title.ts";

it.each([
  ["What is the weather in Berlin? I want to go out.", "What is the weather in Berlin?"],
  ["Use v1.2, e.g. from npm, or Dr. no one.", "Use v1.2, e.g. from npm, or Dr. no one."],
  ["# **Plan** for `today`\n\nFirst we look.", "Plan for today"],
  ["\n\n- [ ] Read the [docs](https://example.com/a_b)\n- Write", "Read the docs"],
  ["1. First *step*\n2. Second", "First step"],
  ["> quoted __text__\n> goes on", "quoted text"],
  ["A line that\nis wrapped. Next.", "A line that is wrapped."],
  ["```js\nconst a = 1;\n```", "const a = 1;"],
  ["![A cat](data:image/png;base64,xx) on <b>top</b>", "A cat on top"],
  ["snake_case_name and 2 * 3 * 4 stay", "snake_case_name and 2 * 3 * 4 stay"],
  ["今天天气怎么样？我想出门。", "今天天气怎么样？"],
  ['Wait!! "Really?" he said.', "Wait!!"],
  ["a\u0000b\u001b[31m", "a b [31m"],
])("takes the first sentence without Markdown: %j", (text, title) => {
  expect(titleFrom(text)).toBe(title);
});

it("cuts at a word within 80 characters", () => {
  expect(titleFrom("seven7 ".repeat(20))).toBe(`${"seven7 ".repeat(11).trim()}…`);
  expect(titleFrom(`${"ab ".repeat(26)}cdef`)).toBe(`${"ab ".repeat(26).trim()}…`);
  expect(titleFrom("語".repeat(100))).toBe(`${"語".repeat(79)}…`);
  expect([...(titleFrom("👩‍🚀".repeat(100)) ?? "")].length).toBe(80);
  expect(titleFrom("x".repeat(80))).toBe("x".repeat(80));
});

it("is absent when there are no words", () => {
  expect(["", " \n", "---", "***", "…"].map(titleFrom)).toEqual(Array(5).fill(undefined));
});

it.each(["*", "`", "[", "<", "_a", "\n", "- ", "!["])("reads only the beginning: %j", (piece) => {
  // What reads on, and back, for each piece takes longer than a test may.
  expect(titleFrom(piece.repeat(1_000_000))).toBe(titleFrom(piece.repeat(10_000)));
});
