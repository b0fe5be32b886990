import { expect, test } from "vitest";
import { NO_TEXTS, toTexts, withLastText, withTexts } from "./texts-so-far.ts";

test("what is said after a place changes nothing of what was said up to it, wherever it goes on", () => {
  const one = withTexts(NO_TEXTS, ["a", "b"]);
  const [left, right] = [withTexts(one, ["c"]), withTexts(one, ["d", "e"])];
  const last = withLastText(one, "x");
  expect([NO_TEXTS, one, left, right, last].map(toTexts)).toEqual([
    [],
    ["a", "b"],
    ["a", "b", "c"],
    ["a", "b", "d", "e"],
    ["a", "x"],
  ]);
});

test("of thousands of texts, one after the other, each is held once", () => {
  let texts = withTexts(NO_TEXTS, ["0"]);
  const { list } = texts;
  for (let n = 1; n < 5_000; n++) texts = withTexts(texts, [`${n}`]);
  expect([texts.list === list, texts.count]).toEqual([true, 5_000]);
});

test("the last text is another one, also where there was none", () => {
  expect(
    [NO_TEXTS, withTexts(NO_TEXTS, ["a", "b"])].map((texts) => toTexts(withLastText(texts, "x"))),
  ).toEqual([["x"], ["a", "x"]]);
});
