import { expect, test } from "vitest";
import { toText } from "./to-text.ts";

test("what stands in the place of a text is one, whatever it is", () => {
  const circle: unknown[] = [];
  circle.push(circle);
  const values = ["", "a", undefined, null, 0, 2 ** 53, false, [1, null], { toString: 1 }, circle];
  expect(values.map(toText)).toEqual([
    "",
    "a",
    "",
    "",
    "0",
    "9007199254740992",
    "false",
    "[1,null]",
    '{"toString":1}',
    "",
  ]);
});
