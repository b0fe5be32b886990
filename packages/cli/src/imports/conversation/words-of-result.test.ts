import { expect, test } from "vitest";
import { wordsOfResult } from "./words-of-result.ts";

test("what a failed tool says is its words, without the bytes of its pictures", () => {
  const picture = { type: "image", source: { type: "base64", data: "iVBORw0KGgo=" } };
  expect(wordsOfResult([{ type: "text", text: "No page." }, picture])).toBe("No page.\n[image]");
  expect(wordsOfResult("No page.")).toBe("No page.");
  expect(wordsOfResult({ code: 2 })).toBe('{"code":2}');
  expect(wordsOfResult([])).toBe("[]");
  expect(wordsOfResult(undefined)).toBe("");
});
