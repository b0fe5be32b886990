import { expect, test } from "vitest";
import { parseFilter } from "./filter.ts";

const NOW = new Date("2026-06-15T12:00:00.000Z");
const read = (text: string) => parseFilter(text, NOW);

test("words, phrases, patterns and fields are told apart", () => {
  expect(
    read(String.raw`refund "not \"found\"" /tim(e|ing) out\/in/i tool:get_* -label:thought`),
  ).toEqual([
    { kind: "words", isNegated: false, words: "refund", isPrefix: false },
    { kind: "words", isNegated: false, words: 'not "found"', isPrefix: false },
    { kind: "pattern", isNegated: false, pattern: "tim(e|ing) out/in", ignoresCase: true },
    { kind: "text", isNegated: false, field: "tool", value: "get_*" },
    { kind: "text", isNegated: true, field: "label", value: "thought" },
  ]);
  expect(
    read(`re* user:"Ann Lee" confidence<low duration>=2s cost>0.01 since:7d before:2026-06-01`),
  ).toEqual([
    { kind: "words", isNegated: false, words: "re", isPrefix: true },
    { kind: "text", isNegated: false, field: "user", value: "Ann Lee" },
    { kind: "number", isNegated: false, field: "confidence", comparison: "<", value: "0.3" },
    { kind: "number", isNegated: false, field: "duration", comparison: ">=", value: "2000" },
    { kind: "number", isNegated: false, field: "cost", comparison: ">", value: "0.01" },
    { kind: "moment", isNegated: false, field: "since", moment: "2026-06-08T12:00:00.000Z" },
    { kind: "moment", isNegated: false, field: "before", moment: "2026-06-01T00:00:00.000Z" },
  ]);
  expect(read("  ")).toEqual([]);
});

test.each([
  ["colour:red", /no field "colour"; there are label, name/],
  ["label<3", /label is a text: it takes label:value, not </],
  ["cost>much", /cost is compared with a number such as 0\.5, not "much"/],
  ["duration>2x", /duration is compared with 1500, 2s or 5m, not "2x"/],
  ["since:yesterday", /since takes 7d, 12h or 2026-11-01, not "yesterday"/],
  ["since>7d", /since takes since:7d/],
  ["...", /"\.\.\." has no letter or digit/],
])("%s is told what is wrong with it", (filter, message) => {
  expect(() => read(filter)).toThrow(message);
});
