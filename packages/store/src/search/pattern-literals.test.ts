import fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { patternLiterals } from "./pattern-literals.ts";

test.each([
  ["zanzibar", ["zanzibar"]],
  ["zan.*bars", ["bars"]],
  ["Time(d)? out", ["time"]],
  ["timed?out", ["time"]],
  ["abcd*", ["abc"]],
  ["abcd{0,3}e", ["abc"]],
  ["abcd+e", ["abcd"]],
  ["abc|de+f|(?i)ghi", undefined],
  ["abc|def|(?i)GHI", ["abc", "def", "ghi"]],
  ["(abc|de)fgh", ["fgh"]],
  ["[abc]def[^]ghi]", ["def"]],
  ["[[:alpha:]abc]xyz", ["xyz"]],
  [String.raw`\d+ degrees\b`, ["degrees"]],
  [String.raw`\x41bcdef`, undefined],
  [String.raw`\pLbcdef`, undefined],
  [String.raw`\Qabc.\E`, undefined],
  [String.raw`a\.bcd\[`, ["bcd"]],
  ["größe", undefined],
  ["", undefined],
])("what %s matches has one of %j", (pattern, literals) => {
  expect(patternLiterals(pattern)).toEqual(literals);
});

test("one of its literals stands in whatever a pattern matches", () => {
  const atom = fc.oneof(
    fc.constantFrom("abc", "Xyz7", "q", "k", "é", " "),
    fc.constantFrom(".", String.raw`\w`, "[b-d]", "[^a]", String.raw`\.`, "(?:abc|q)", "(xyz)"),
  );
  const part = fc
    .tuple(atom, fc.constantFrom("", "", "*", "?", "+", "{2}", "{0,1}", "*?"))
    .map((both) => both.join(""));
  const pattern = fc
    .array(fc.array(part, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 })
    .map((alternatives) => alternatives.map((parts) => parts.join("")).join("|"));
  const text = fc
    .array(fc.constantFrom("abc", "ab", "xyz7", "XYZ7", "q", "c", ".", " ", "é"), { maxLength: 8 })
    .map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(pattern, text, fc.boolean(), (source, said, ignoresCase) => {
      const literals = patternLiterals(source);
      if (literals === undefined) return;
      if (!RE2JS.compile(source, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0).test(said)) return;
      expect(literals.some((literal) => said.toLowerCase().includes(literal))).toBe(true);
    }),
    { numRuns: 5000 },
  );
});
