import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { createReplayServer, type Exchange, toExchange } from "@thoughtflow/testkit";
import { subscribeToThoughts, type ThoughtStreamEvent } from "@thoughtflow/tracing";
import { createSessionInference } from "@thoughtflow/workflow";
import OpenAI from "openai";
import { afterEach, beforeEach, expect, test } from "vitest";
import { asks, says } from "../testing/scripted-model.ts";
import { endOpenRuns } from "./derived-runs.ts";
import { instrumentOpenAI } from "./instrument-openai.ts";
import type { Unpatch } from "./replace-method.ts";

const provider = new NodeTracerProvider();
let unpatch: Unpatch;
let stop: () => void;
const events: ThoughtStreamEvent[] = [];

beforeEach(() => {
  events.length = 0;
  unpatch = instrumentOpenAI(OpenAI, {
    tracerProvider: provider,
    sessionInference: createSessionInference(),
  });
  stop = subscribeToThoughts((event) => events.push(event));
});

afterEach(() => {
  stop();
  endOpenRuns();
  unpatch();
});

async function replay(
  exchanges: readonly Exchange[],
  app: (client: OpenAI) => Promise<void>,
): Promise<void> {
  await using server = await createReplayServer(exchanges);
  await app(new OpenAI({ apiKey: "test", baseURL: `${server.url}/v1`, maxRetries: 0 }));
}

const told = () => events.map(({ metadata, content }) => [metadata.source, content]);
const user = { role: "user", content: "Hi." } as const;

function chunk(delta: object): string {
  return `data: ${JSON.stringify({
    id: "c",
    object: "chat.completion.chunk",
    model: "m",
    choices: [{ index: 0, delta, finish_reason: null }],
  })}\n\n`;
}

test("a thought in a stream is told when its tag closes, and the app reads every chunk as it came", async () => {
  const pieces = ["Hm. <thin", 'king type="planning">Look', " first.</think", "ing> So", "."];
  const stream = toExchange(
    "/v1/chat/completions",
    `${[chunk({ role: "assistant", reasoning_content: "A greeting." }), ...pieces.map((content) => chunk({ content }))].join("")}data: [DONE]\n\n`,
  );
  const read: (readonly [unknown, number])[] = [];
  await replay([stream], async (client) => {
    const chunks = await client.chat.completions.create({
      model: "m",
      messages: [user],
      stream: true,
    });
    for await (const { choices } of chunks) read.push([choices[0]?.delta.content, events.length]);
  });
  expect(read).toEqual([
    [undefined, 0],
    [pieces[0], 0],
    [pieces[1], 0],
    [pieces[2], 0],
    [pieces[3], 1],
    [pieces[4], 1],
  ]);
  expect(told()).toEqual([
    ["content-delta", "Look first."],
    ["reasoning", "A greeting."],
  ]);
  expect(events[0]).toMatchObject({ thoughtType: "planning", index: 0 });
});

test("thoughts of a whole answer are told when it is there", async () => {
  await replay([says("<thinking>Greet.</thinking>Hi!")], async (client) => {
    const { choices } = await client.chat.completions.create({ model: "m", messages: [user] });
    expect(choices[0]?.message.content).toBe("<thinking>Greet.</thinking>Hi!");
  });
  expect(told()).toEqual([["content", "Greet."]]);
});

test("a think_aloud tool of the app's own is told of once, when its answer is read", async () => {
  const args = '{"thought_id":"plan","thought":"Greet.","thought_type":"planning"}';
  await replay([asks(["call_12345678", "think_aloud", args]), says("Hi!")], async (client) => {
    const { choices } = await client.chat.completions.create({ model: "m", messages: [user] });
    const [choice] = choices;
    if (choice === undefined) throw new Error("no answer");
    const answered = { role: "tool", tool_call_id: "call_12345678", content: "ok" } as const;
    await client.chat.completions.create({
      model: "m",
      messages: [user, choice.message, answered],
    });
  });
  expect(events).toEqual([
    expect.objectContaining({
      thoughtId: "plan",
      content: "Greet.",
      metadata: { source: "tool-call", toolCallId: "call_12345678" },
    }),
  ]);
});
