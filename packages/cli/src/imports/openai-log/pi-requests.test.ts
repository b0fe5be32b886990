import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { openaiLog } from "./openai-log.ts";

// As Pi writes them: packages/ai/src/providers/openai-completions.ts, packages/coding-agent/src/core/compaction.

const PNG = "data:image/png;base64,iVBORw0KGgo=";
const tools = [{ type: "function", function: { name: "read", parameters: {} } }];
const call = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "call_1", type: "function", function: { name: "read", arguments: "{}" } }],
};
const asked = [
  { role: "system", content: "You are an expert coding assistant." },
  { role: "user", content: "What is in the picture?" },
];
const looked = [
  ...asked,
  call,
  { role: "tool", tool_call_id: "call_1", content: "(see attached image)" },
  {
    role: "user",
    content: [
      { type: "text", text: "Attached image(s) from tool result:" },
      { type: "image_url", image_url: { url: PNG } },
    ],
  },
];
const SUMMARY = {
  messages: [
    {
      role: "system",
      content:
        "You are a context summarization assistant. Your task is to read a conversation between a user and an AI coding assistant, then produce a structured summary following the exact format specified.",
    },
    {
      role: "user",
      content: "<conversation>\n[User]: What is in the picture?\n</conversation>\n\nSum it up.",
    },
  ],
};

async function runsOf(...requests: readonly (readonly [body: object, message: object])[]) {
  const lines = requests.map(([body, message], n) =>
    JSON.stringify({
      timestamp: new Date(Date.UTC(2026, 6, 6, 10, n)).toISOString(),
      request: { url: "https://x/v1/chat/completions", body: { model: "m", ...body } },
      response: {
        status: 200,
        body: { id: `chatcmpl-${n}`, object: "chat.completion", choices: [{ index: 0, message }] },
      },
    }),
  );
  const { records } = await recordsOfText(openaiLog, lines.join("\n"));
  return assemble(records).flatMap(({ conversations }) =>
    conversations.map(({ name, totals }) => [name, totals?.model_calls]),
  );
}

const said = (content: string) => ({ role: "assistant", content });

test("images that a tool gave are no person's words: the run goes on", async () => {
  const later = [...looked, said("A cat."), { role: "user", content: "And now?" }];
  expect(
    await runsOf(
      [{ messages: asked, tools }, call],
      [{ messages: looked, tools }, said("A cat.")],
      [{ messages: later, tools }, said("A dog.")],
    ),
  ).toEqual([
    ["What is in the picture?", 2],
    ["And now?", 1],
  ]);
});

test("what sums up a history belongs to the run that it is summed up after", async () => {
  expect(
    await runsOf([{ messages: asked, tools }, said("A cat.")], [SUMMARY, said("## Goal")]),
  ).toEqual([["What is in the picture?", 2]]);
});
