import type { ChatCompletionTool } from "openai/resources/chat/completions";
import type { Tool } from "openai/resources/responses/responses";
import { expect, test } from "vitest";
import { defineThinkAloud, thinkAloudTool } from "./index.ts";

test("one schema in the words of three APIs, in lists that an app has already", () => {
  const chat: ChatCompletionTool[] = [thinkAloudTool.chat];
  const responses: Tool[] = [thinkAloudTool.responses];
  const { mcp } = thinkAloudTool;
  const [{ parameters }] = [thinkAloudTool.chat.function];
  expect([chat.length, responses.length]).toEqual([1, 1]);
  expect(thinkAloudTool.responses.parameters).toEqual(parameters);
  expect(mcp.inputSchema).toEqual(parameters);
  expect(Object.keys(parameters["properties"] as object)).toEqual([
    "thought_id",
    "thought",
    "thought_type",
    "related_to",
    "confidence",
    "verbosity",
    "alternatives",
  ]);
  expect(parameters["required"]).toEqual(["thought", "thought_type"]);
  JSON.parse(JSON.stringify(thinkAloudTool));
});

test("an app may offer kinds of its own, and change what it was given", () => {
  const own = defineThinkAloud({ types: ["hunch", "proof"] });
  own.chat.function.description = "Ours.";
  expect(own.responses.parameters).toMatchObject({
    properties: { thought_type: { enum: ["hunch", "proof"] } },
  });
  expect(thinkAloudTool.chat.function.description).not.toBe("Ours.");
});
