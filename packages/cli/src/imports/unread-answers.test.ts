import { expect, test } from "vitest";
import { unknownFile } from "./recognise.ts";
import { sourceText } from "./source-file.ts";

const BOTH = "which don't tell what was asked: openai-log needs both";
const ANSWERS = `it is answers of OpenAI's API, ${BOTH}`;
const EVENTS = `it is events of a streamed answer of OpenAI's API, ${BOTH}`;
const usage = { prompt_tokens: 1, total_tokens: 1 };

// Shapes of what the tests of Vercel's AI SDK recorded of the real API.
test.each([
  ["a completion", [{ object: "text_completion", model: "m", choices: [], usage }], ANSWERS],
  [
    "embeddings",
    [{ object: "list", data: [{ object: "embedding", index: 0, embedding: [0.1] }], model: "m" }],
    ANSWERS,
  ],
  [
    "a stream of chat chunks",
    [
      { id: "chatcmpl-1", object: "chat.completion.chunk", choices: [{ index: 0, delta: {} }] },
      { id: "chatcmpl-1", object: "chat.completion.chunk", choices: [] },
    ],
    ANSWERS,
  ],
  [
    "a stream of responses",
    [
      {
        type: "response.created",
        sequence_number: 0,
        response: { id: "resp_1", object: "response", output: [] },
      },
      {
        type: "response.output_text.delta",
        sequence_number: 1,
        item_id: "msg_1",
        output_index: 0,
        delta: "Hi",
      },
    ],
    EVENTS,
  ],
  [
    "a picture",
    [{ created: 1, data: [{ b64_json: "iVBO" }] }],
    "it is pictures that OpenAI's API gave",
  ],
  [
    "another list",
    [{ object: "list", data: [{ object: "model" }] }],
    "it is an object in JSON with the keys object, data",
  ],
])("a file of %s is told for what it is, and what reads it", async (_, values, told) => {
  const text = values.map((value) => JSON.stringify(value)).join("\n");
  expect(await unknownFile(sourceText(text, "a.json"))).toBe(told);
});
