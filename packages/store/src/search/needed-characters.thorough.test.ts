import fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { anyPattern, anyText } from "../../testing/random-patterns.ts";
import { neededCharacters } from "./needed-characters.ts";

test("it stands in whatever a pattern matches", () => {
  fc.assert(
    fc.property(
      anyPattern,
      fc.boolean(),
      fc.array(anyText, { maxLength: 20 }),
      (source, ignoresCase, texts) => {
        const pattern = RE2JS.compile(source, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
        const needed = neededCharacters(pattern);
        const matched = texts.filter((text) => pattern.test(text));
        expect(matched.filter((text) => needed?.test(text) === false)).toEqual([]);
      },
    ),
    { numRuns: 1000 },
  );
});
