import { expect, test } from "vitest";
import { jsonOf } from "./json-of.ts";

test.each([
  ["sk-ant-secret", "it is no JSON"],
  ['{"a": sk-ant-secret}', "it is no JSON"],
  [
    '{"a": 1} sk-ant-secret',
    "it is no JSON: Unexpected non-whitespace character after JSON at position 9",
  ],
  ['{"key": "sk-ant-secret', "it is no JSON: Unterminated string in JSON at position 22"],
  ["", "it is no JSON: Unexpected end of JSON input"],
])("what is no JSON is told without a word of it: %s", (text, problem) => {
  expect(() => jsonOf(text)).toThrow(new RegExp(`^${problem}(?: \\(line \\d+ column \\d+\\))?$`));
});
