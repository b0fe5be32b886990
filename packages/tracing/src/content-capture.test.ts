import { expect, test } from "vitest";
import { CONTENT_FIELDS, type ContentField, capturedContent } from "./content-capture.ts";

const call = (id: string, args: unknown) => ({
  type: "tool_call",
  id,
  name: "find",
  arguments: args,
});

const content = {
  "gen_ai.system_instructions": JSON.stringify([{ type: "text", content: "word-system" }]),
  "gen_ai.input.messages": [
    { role: "system", parts: [{ type: "text", content: "word-system" }] },
    { role: "user", parts: [{ type: "text", content: "word-input" }] },
    {
      role: "assistant",
      parts: [{ type: "text", content: "word-output" }, call("c1", "word-arguments")],
    },
    { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: "word-results" }] },
  ].map((message) => JSON.stringify(message)),
  "gen_ai.output.messages": JSON.stringify([
    {
      role: "assistant",
      parts: [{ type: "reasoning", content: "word-output" }, call("c2", "word-arguments")],
    },
  ]),
  "gen_ai.tool.definitions": '["word-tools"]',
  "gen_ai.tool.call.arguments": '"word-arguments"',
  "gen_ai.tool.call.result": '"word-results"',
  "thoughtflow.step.started": '{"args":"word-input"}',
  "thoughtflow.step.completed": '{"result":"word-output"}',
  "thoughtflow.output_schema": '"word-tools"',
};

const wordsIn = (value: unknown) =>
  [...new Set(JSON.stringify(value).match(/word-\w+/g))]
    .map((word) => word.slice("word-".length))
    .sort();

test.each(CONTENT_FIELDS)("%s alone is captured alone, and all but it is all but it", (field) => {
  const others: ContentField[] = CONTENT_FIELDS.filter((one) => one !== field);
  expect(wordsIn(capturedContent(content, [field]))).toEqual([field]);
  expect(wordsIn(capturedContent(content, others))).toEqual(others.toSorted());
});

test("all, nothing and every field are what they say", () => {
  expect(capturedContent(content, true)).toBe(content);
  expect(capturedContent(content, CONTENT_FIELDS)).toBe(content);
  expect(capturedContent(content, false)).toEqual({});
  expect(capturedContent(content, [])).toEqual({});
});

test("a hidden part keeps its place, its ids and its length", () => {
  const { "gen_ai.input.messages": messages } = capturedContent(content, ["input"]);
  expect([messages].flat().map((message) => JSON.parse(String(message)))).toEqual([
    { role: "system", parts: [{ type: "text", length: 11 }] },
    { role: "user", parts: [{ type: "text", content: "word-input" }] },
    {
      role: "assistant",
      parts: [
        { type: "text", length: 11 },
        { type: "tool_call", id: "c1", name: "find", length: 14 },
      ],
    },
    { role: "tool", parts: [{ type: "tool_call_response", id: "c1", length: 12 }] },
  ]);
});

test("what can't be read is not shown", () => {
  const broken = { "gen_ai.input.messages": ['{"role":"user","parts":[{"content":"word'] };
  expect(capturedContent(broken, ["output"])).toEqual({
    "gen_ai.input.messages": ['"[redacted: error]"'],
  });
});
