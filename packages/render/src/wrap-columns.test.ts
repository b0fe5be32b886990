import { expect, test } from "vitest";
import { wrapColumns } from "./wrap-columns.ts";

test.each([
  ["one two", 7, ["one two"]],
  ["one two three", 7, ["one two", "three"]],
  ["one two 3 four", 9, ["one two 3", "four"]],
  ["onetwothree 4", 4, ["onet", "woth", "ree", "4"]],
  ["", 4, [""]],
])(
  "%j in %d columns: no line is longer, with the space that it was broken at or without",
  (text, columns, lines) => {
    expect(wrapColumns(text, columns)).toEqual(lines);
  },
);
