import { expect, test } from "vitest";
import { fromExactJson } from "./exact-json.ts";

test("whole numbers that would be rounded are the texts of their digits, all others numbers", () => {
  const text =
    '{"id":1234567890123456789, "min":-9223372036854775808,"list":[18446744073709551615,9007199254740991],"s":1.1234567890123456789,"e":12345678901234567e3,"f":0.5}';
  expect(fromExactJson(text)).toEqual({
    id: "1234567890123456789",
    min: "-9223372036854775808",
    list: ["18446744073709551615", 9007199254740991],
    s: 1.1234567890123457,
    e: 12345678901234567e3,
    f: 0.5,
  });
  expect(fromExactJson("12345678901234567890")).toBe("12345678901234567890");
});

test("a long number is found wherever it stands", () => {
  for (let before = 0; before < 40; before++) {
    const text = `["${"x".repeat(before)}",9007199254740993,"123456789012345"]`;
    expect(fromExactJson(text)).toEqual([
      "x".repeat(before),
      "9007199254740993",
      "123456789012345",
    ]);
  }
});

test("what JavaScript has written is read as it was", () => {
  const numbers = [-(2 ** 53), 10 ** 18 + 1000, 2 ** 64, 1e21, -1e300, Number.MAX_VALUE];
  expect(fromExactJson(JSON.stringify(numbers))).toEqual(numbers);
});

test("what stands in texts and names stays as it is", () => {
  const value = { 'a": 1234567890123456789': 'b\\", 1234567890123456789 ]', n: [1] };
  expect(fromExactJson(JSON.stringify(value))).toEqual(value);
});

test("what is no JSON is none, whatever its digits", () => {
  expect(() => fromExactJson('{"id": 1234567890123456789')).toThrow(SyntaxError);
  expect(() => fromExactJson("{1234567890123456789: 1}")).toThrow(SyntaxError);
});

test("what nests deeper than 500 levels is cut off there, whatever stands beside it", () => {
  const nested = (levels: number, inner: string) =>
    `${'{"a":['.repeat(levels / 2)}${inner}${"]}".repeat(levels / 2)}`;
  const whole = nested(500, "1");
  expect(JSON.stringify(fromExactJson(whole))).toBe(whole);
  expect(JSON.stringify(fromExactJson(`[${nested(20_000, "1")},{"b":12345678901234567890}]`))).toBe(
    `[${nested(498, '{"a":"[truncated: depth]"}')},{"b":"12345678901234567890"}]`,
  );
});
