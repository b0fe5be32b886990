import { setImmediate as macrotask } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { createReplayServer, toExchange } from "@thoughtflow/testkit";
import OpenAI from "openai";
import { afterEach, expect, it } from "vitest";
import { endOpenRuns } from "./derived-runs.ts";
import { instrumentOpenAI } from "./instrument-openai.ts";
import { endOpenStreams } from "./open-streams.ts";

const exporter = new InMemorySpanExporter();
const tracerProvider = new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
});
instrumentOpenAI(OpenAI, { tracerProvider, captureContentOnSpans: true });

afterEach(() => {
  endOpenRuns();
  exporter.reset();
});

const piece = (content: string): string =>
  `data: ${JSON.stringify({ id: "c", model: "m-1", choices: [{ index: 0, delta: { content } }] })}\n\n`;
const error = { type: "server_error", code: "overloaded", message: "Not now." };

const ask = (client: OpenAI) =>
  client.chat.completions.create({ model: "m", messages: [], stream: true });

async function callOf(
  body: string,
  app: (client: OpenAI) => Promise<unknown>,
): Promise<ReadableSpan | undefined> {
  await using server = await createReplayServer([toExchange("/", body)]);
  await app(new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1`, maxRetries: 0 }));
  // A body that is taken raw is known one macrotask after it was taken.
  while (exporter.getFinishedSpans().length === 0) await macrotask();
  return exporter.getFinishedSpans().find(({ name }) => name === "chat m");
}

async function readUntil(client: OpenAI, stop?: (stream: AbortController) => unknown) {
  const stream = await ask(client);
  for await (const _ of stream) {
    if (stop === undefined) continue;
    if (stop(stream.controller) === "break") break;
  }
}

it.each([
  ["whole", `${piece("Ha")}${piece("lf")}data: [DONE]\n\n`, readUntil, undefined, 0, "Half", 2],
  ["whole, without [DONE]", piece("Ha") + piece("lf"), readUntil, undefined, 0, "Half", 2],
  [
    "left early",
    piece("Ha") + piece("lf"),
    (client: OpenAI) => readUntil(client, () => "break"),
    "cancelled",
    0,
    "Ha",
    1,
  ],
  [
    "aborted",
    piece("Ha") + piece("lf"),
    (client: OpenAI) => readUntil(client, (controller) => controller.abort()),
    "aborted",
    0,
    "Ha",
    1,
  ],
  [
    "ended by an error event",
    `${piece("Ha")}data: ${JSON.stringify({ error })}\n\n`,
    (client: OpenAI) => readUntil(client).catch(() => undefined),
    "error",
    2,
    "Ha",
    1,
  ],
  [
    "taken raw",
    piece("Ha"),
    async (client: OpenAI) => (await ask(client).asResponse()).text(),
    "raw_response",
    0,
    undefined,
    undefined,
  ],
])(
  "a stream that is %s says so, with what was read",
  async (_, body, app, outcome, code, text, chunks) => {
    const call = await callOf(body, app);
    expect({
      outcome: call?.attributes["thoughtflow.outcome"],
      code: call?.status.code,
      text: JSON.parse(String(call?.attributes["gen_ai.output.messages"] ?? "[]"))[0]?.parts[0]
        ?.content,
      chunks: call?.attributes["thoughtflow.stream.chunks"],
      timed: typeof call?.attributes["gen_ai.response.time_to_first_chunk"],
      error: call?.attributes["error.type"],
    }).toEqual({
      outcome,
      code,
      text,
      chunks,
      timed: chunks === undefined ? "undefined" : "number",
      error: code === 0 ? undefined : "overloaded",
    });
  },
);

it("a stream that nobody reads says so when it is collected", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const call = await callOf(piece("Ha"), async (client) => {
    await ask(client);
    while (exporter.getFinishedSpans().length === 0) {
      await macrotask();
      collect();
    }
  });
  expect(call?.attributes["thoughtflow.outcome"]).toBe("abandoned");
});

it("keeps what came of a stream that the end of the process cuts off", async () => {
  await using server = await createReplayServer([toExchange("/", piece("Ha") + piece("lf"))]);
  const client = new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1`, maxRetries: 0 });
  const reader = (await ask(client))[Symbol.asyncIterator]();
  endOpenStreams();
  expect(exporter.getFinishedSpans()).toEqual([]);
  await reader.next();
  endOpenStreams();
  const [call, run] = exporter.getFinishedSpans();
  expect(call?.attributes).toMatchObject({
    "thoughtflow.outcome": "abandoned",
    "gen_ai.output.messages": expect.stringContaining('"Ha"'),
  });
  expect(run?.attributes["thoughtflow.run.status"]).toBe("aborted");
  // Read on, it is told no second time.
  for (let read = await reader.next(); read.done !== true; ) read = await reader.next();
  expect(exporter.getFinishedSpans()).toHaveLength(2);
});
