import { instrumentOpenAI } from "@thoughtflow/instrumentation-openai";
import { createReplayServer } from "@thoughtflow/testkit";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createRecordingProvider,
  type RecordingProvider,
} from "./nested-calls/recording-provider.ts";
import { completion, toolLoop } from "./setups/completion.ts";

let recording: RecordingProvider;

beforeAll(() => {
  recording = createRecordingProvider();
  instrumentOpenAI(OpenAI);
});

afterAll(() => recording.shutdown());

const PROMPT = "Count the files of this project.";
const model = "m";

/** An agent that knows nothing of us and hands a part of its work to another one. */
async function delegate(openai: OpenAI): Promise<void> {
  const { completions } = openai.chat;
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: "user", content: "How large is it?" },
  ];
  const first = await completions.create({ model, messages });
  const asked = first.choices[0]?.message;
  if (asked?.tool_calls === undefined) throw new Error("no tool call");
  const found = await completions.create({ model, messages: [{ role: "user", content: PROMPT }] });
  const content = found.choices[0]?.message.content ?? "";
  messages.push(asked, { role: "tool", tool_call_id: "t1", content });
  await completions.create({ model, messages });
}

test("a program's agents are told apart, and who asked for whom, without a word from it", async () => {
  const [asks, ends] = toolLoop("t1", "delegate", "Small.", JSON.stringify({ prompt: PROMPT }));
  if (asks === undefined || ends === undefined) throw new Error("no loop");
  const answers = [asks, completion({ content: "42 files." }), ends];
  await using server = await createReplayServer(answers);
  await delegate(new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1` }));
  const { sessions, spans } = await recording.take();

  expect(sessions).toHaveLength(1);
  const [{ agents = [], conversations } = { conversations: [] }] = sessions;
  expect(conversations).toHaveLength(2);
  const [main, sub] = agents;
  expect(sub).toMatchObject({
    parent_agent_id: main?.agent_id,
    spawned_by: expect.stringMatching(/\.t1$/),
    origin: "inferred",
    totals: { model_calls: 1 },
  });
  expect(main).toMatchObject({ totals: { model_calls: 2 } });
  const spawns = spans.flatMap(({ links }) =>
    links.filter(({ attributes }) => attributes?.["thoughtflow.link.type"] === "subagent_spawn"),
  );
  expect(spawns).toHaveLength(1);
});
