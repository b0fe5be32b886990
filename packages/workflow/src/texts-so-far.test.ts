import { expect, test } from "vitest";
import { textsSoFar } from "./texts-so-far.ts";

test("of a beginning every text is told that is whole, with the name before it", () => {
  const whole = JSON.stringify({ a: 'x "y": \n\\', n: 1, list: ["b", "c"], d: { e: "" } });
  const all = [
    ["a", 'x "y": \n\\'],
    ["list", "b"],
    ["list", "c"],
    ["e", ""],
  ];
  expect(textsSoFar(whole)).toEqual(all);
  for (let end = 0; end < whole.length; end++) {
    const texts = textsSoFar(whole.slice(0, end));
    expect(texts).toEqual(all.slice(0, texts.length));
  }
  expect(textsSoFar('{"a":"\\x","b":"c"')).toEqual([["b", "c"]]);
});
