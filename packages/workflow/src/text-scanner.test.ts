import { expect, test } from "vitest";
import { createTextScanner } from "./text-scanner.ts";

const whole = JSON.stringify({ a: 'x "y": \n\\', n: 1, list: ["b", "c"], d: { e: "" } });
const all = [
  ["a", 'x "y": \n\\'],
  ["list", "b"],
  ["list", "c"],
  ["e", ""],
];

test("of a beginning every text is told that is whole, with the name before it", () => {
  expect(createTextScanner()(whole)).toEqual(all);
  for (let end = 0; end < whole.length; end++) {
    const texts = createTextScanner()(whole.slice(0, end));
    expect(texts).toEqual(all.slice(0, texts.length));
  }
  expect(createTextScanner()('{"a":"\\x","b":"c"')).toEqual([["b", "c"]]);
});

test("however a text comes, each one in it is told once", () => {
  for (let size = 1; size < whole.length; size++) {
    const scan = createTextScanner();
    const told = [];
    for (let end = size; end < whole.length + size; end += size)
      told.push(...scan(whole.slice(0, end)));
    expect(told).toEqual(all);
  }
});

test("a very long text that is not whole is no problem", () => {
  const scan = createTextScanner();
  const beginning = `{"a":"b","text":"${"\\n\\\\".repeat(4_000_000)}`;
  expect(scan(beginning)).toEqual([["a", "b"]]);
  expect(scan(`${beginning}","c":"d"}`).at(-1)).toEqual(["c", "d"]);
});
