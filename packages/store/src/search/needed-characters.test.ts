import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { neededCharacters } from "./needed-characters.ts";

/** What of a pattern is looked for, with signs for their numbers. */
function neededOf(pattern: string, flags = 0): string | undefined {
  const needed = neededCharacters(RE2JS.compile(pattern, flags));
  if (needed === undefined) return undefined;
  const source = needed.source.replaceAll(/\\u\{([0-9a-f]+)\}/g, (_, code) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
  return `${source.replaceAll(/\[(.)-\1\]/g, "$1")} ${needed.flags}`;
}

test.each([
  ["zan.*bar", "zan u"],
  [String.raw`\d{4}`, "[0-9][0-9][0-9][0-9] u"],
  ["[a-z]+@[a-z]+", "@[a-z] u"],
  ["(ho|hi)pe.*", "h[i-io-o]pe u"],
  [".*(ho|mi)pe", "pe u"],
  ["err|fail", "[f-fe-e][r-ra-a][i-ir-r] u"],
  ["x*q?-[^0]", "- u"],
  [".*", undefined],
  ["a*", undefined],
  ["a?|bc", undefined],
  ["^$", undefined],
  [".", undefined],
  [`x{${"9".repeat(3)}}`, `${"x".repeat(32)} u`],
])("of %s %j is looked for", (pattern, needed) => {
  expect(neededOf(pattern)).toBe(needed);
});

test("small letters and capitals are the same where the pattern says so", () => {
  expect(neededOf("kg", RE2JS.CASE_INSENSITIVE)).toBe("KG iu");
  expect(neededCharacters(RE2JS.compile("(?i)kg"))?.test("5 \u212aG")).toBe(true);
});
