import OpenAI from "openai";
import { expect, test } from "vitest";

test("the model asks for the weather", async () => {
  const messages = [{ role: "user", content: "What's the weather in Seattle?" }];
  const answer = await new OpenAI().chat.completions.create({ model: "gpt-4o-mini", messages });
  expect(answer.choices[0].message.tool_calls).toHaveLength(2);
});
