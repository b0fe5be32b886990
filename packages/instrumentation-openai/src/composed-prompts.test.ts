import { composePrompt } from "@thoughtflow/tracing";
import OpenAI from "openai";
import { beforeAll, expect, test } from "vitest";
import { observedRun, registerProvider } from "../testing/observed-run.ts";
import { responds, says, streamed } from "../testing/scripted-model.ts";

beforeAll(registerProvider);

interface Told {
  readonly final_prompt: string;
  readonly parts: readonly {
    readonly type: string;
    readonly start: number;
    readonly end: number;
  }[];
}

/** The parts of the only call's prompt. */
async function partsOf(
  exchange: ReturnType<typeof says>,
  app: (client: OpenAI) => Promise<unknown>,
): Promise<unknown> {
  const spans = await observedRun(OpenAI, { name: "", exchanges: [exchange], app });
  const call = spans.find(({ name }) => name.startsWith("chat"));
  const { final_prompt, parts }: Told = JSON.parse(String(call?.attributes["thoughtflow.prompt"]));
  return parts.map(({ type, start, end }) => [type, final_prompt.slice(start, end)]);
}

const PARTS = [
  { type: "personality", value: "You are helpful, brief and kind." },
  { type: "user_instruction", value: "What's the weather?" },
];
const TOLD = PARTS.map(({ type, value }) => [type, value]);

test("an unmodified chat call says what its composed messages are made of", async () => {
  expect(
    await partsOf(says("Sunny."), (client) =>
      client.chat.completions.create({
        model: "m",
        messages: composePrompt(PARTS, { as: "messages" }),
      }),
    ),
  ).toEqual(TOLD);
});

test("so does a responses call, with messages rebuilt and something added", async () => {
  expect(
    await partsOf(responds("Sunny."), (client) => {
      const [system, user] = composePrompt(PARTS, { as: "messages" });
      return client.responses.create({
        model: "m",
        instructions: `${system?.content}\nIt is Monday.`,
        input: [{ role: "user", content: [{ type: "input_text", text: `${user?.content}` }] }],
      });
    }),
  ).toEqual([TOLD[0], ["unattributed", "\nIt is Monday."], TOLD[1]]);
});

test("a streamed call, too", async () => {
  expect(
    await partsOf(streamed(says("Sunny.")), async (client) => {
      const stream = await client.chat.completions.create({
        model: "m",
        stream: true,
        messages: [{ role: "user", content: composePrompt(PARTS) }],
      });
      let text = "";
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? "";
      return text;
    }),
  ).toEqual(TOLD);
});
